import { InvalidArgumentError } from 'commander';
import type { Body } from '../../server/tool.ts';

/** Without what was not given: it falls through to the tool's own default. */
export function present(given: Body): Body {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

export function wholeNumber(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isInteger(value)) return value;
  throw new InvalidArgumentError('Expected a whole number.');
}
