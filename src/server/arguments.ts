import type { z } from 'zod';
import { jsonSchemaOf } from '../config/expectation.ts';
import { mismatches, shown } from '../config/mismatch.ts';
import { CayError } from '../errors.ts';

type Given = Readonly<Record<string, unknown>>;

interface Taken<I extends z.ZodObject> {
  readonly input: I;
  readonly prepare?: (given: Given) => Given;
}

/** What a caller sent, checked; or a refusal that says for each argument what was expected and what came. */
export function parseArguments<I extends z.ZodObject>({ input, prepare }: Taken<I>, given: unknown): z.output<I> {
  if (!isObject(given)) throw new CayError('invalid_argument', `arguments: expected an object, got ${shown(given)}`);
  const counted = withoutNulls(input, prepare?.(given) ?? given);
  const checked = input.safeParse(counted);
  if (checked.success) return checked.data;
  const lines = mismatches(input, counted, checked.error).map(({ path, reason }) => `${path}: ${reason}`);
  throw new CayError('invalid_argument', lines.join('\n'), { cause: checked.error });
}

/** Reads what came as text, in a query, as the types that the schema wants; text that does not fit stays text. */
export function fromQuery(input: z.ZodObject, query: Readonly<Record<string, readonly string[]>>): Given {
  return Object.fromEntries(
    Object.entries(query).map(([name, values]) => {
      const property = jsonSchemaOf(input).properties?.[name];
      const type = typeof property === 'object' ? property.type : undefined;
      const last = values.at(-1) ?? '';
      if (type === 'array') return [name, values];
      const isNumber = (type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(last);
      return [name, isNumber ? Number(last) : last];
    }),
  );
}

/** Models write null for what they leave out. Where null means nothing of its own, it is left out. */
function withoutNulls(input: z.ZodObject, given: Given): Given {
  if (!Object.values(given).includes(null)) return given;
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => value !== null || takesNull(input, name)));
}

function takesNull(input: z.ZodObject, name: string): boolean {
  const field = input.shape[name];
  return field === undefined || field.safeParse(null).success || !field.safeParse(undefined).success;
}

function isObject(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
