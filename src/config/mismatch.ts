import type { z } from 'zod';
import { expectation, namesAt } from './expectation.ts';
import { nearest } from './nearest.ts';

/** What is wrong with a value, for the person or the model that wrote it. */
export interface Mismatch {
  /** `tags.env`; empty for the whole. */
  readonly path: string;
  /** `expected a whole number from 8 to 4096, got 7`, or `unknown, did you mean "heap"?` */
  readonly reason: string;
}

/** Everything that `schema` has against `value`. */
export function mismatches(schema: z.ZodType, value: unknown, error: z.ZodError): Mismatch[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map(String);
    if (issue.code === 'unrecognized_keys') {
      const known = namesAt(schema, path);
      const inside = known.flatMap((name) => namesAt(schema, [...path, name]).map((inner) => `${name}.${inner}`));
      return issue.keys.map((key) => ({ path: [...path, key].join('.'), reason: unknownName(key, known, inside) }));
    }
    return [{ path: path.join('.'), reason: reasonOf(schema, value, issue, path) }];
  });
}

const mostListed = 20;

/** A name that there is not, with the one that was meant or all that there are. `inside`: names that are one level down. */
export function unknownName(name: string, known: readonly string[], inside: readonly string[] = []): string {
  const near = nearest(name, known) ?? nearest(name, inside);
  if (near !== null) return `unknown, did you mean "${near}"?`;
  if (known.length === 0) return 'unknown: none is taken here';
  if (known.length === 1) return `unknown: there is only ${known[0]}`;
  return known.length > mostListed
    ? `unknown, and like none of the ${known.length} that there are`
    : `unknown: there are ${known.join(', ')}`;
}

/** A value in a message: as its author wrote it, and short. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? typeof value;
  return text.length <= 80 ? text : `${text.slice(0, 60)}… (${text.length} characters)`;
}

function reasonOf(schema: z.ZodType, value: unknown, issue: z.core.$ZodIssue, path: readonly string[]): string {
  if (issue.code === 'invalid_key') return `its name: ${issue.issues[0]?.message ?? 'does not fit'}`;
  const came = shown(valueAt(value, path));
  return issue.code === 'custom'
    ? `${issue.message}, got ${came}`
    : `expected ${expectation(schema, path)}, got ${came}`;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inside, key) => (isObject(inside) ? inside[key] : undefined), value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
