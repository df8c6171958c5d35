import { CayError } from '../errors.ts';
import type { PageQuery } from './types.ts';

export const maxPageLines = 10_000;
export const maxPageBytes = 2 ** 20;

/** What a page query asks for: `byteOffset` alone decides the mode, and what the mode ignores is not checked. */
export interface PageRange {
  readonly mode: 'line' | 'byte';
  readonly offset: number;
  readonly limit: number;
}

export function pageRange(query: PageQuery): PageRange {
  if (query.byteOffset !== undefined) {
    const limit = atLeast(1, 'byte_limit', query.byteLimit ?? 4096);
    return { mode: 'byte', offset: atLeast(0, 'byte_offset', query.byteOffset), limit: Math.min(limit, maxPageBytes) };
  }
  const limit = atLeast(1, 'line_limit', query.lineLimit ?? 100);
  return {
    mode: 'line',
    offset: atLeast(1, 'line_offset', query.lineOffset ?? 1),
    limit: Math.min(limit, maxPageLines),
  };
}

export function atLeast(least: number, name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new CayError('invalid_argument', `Expected ${name} to be an integer of at least ${least}, got ${value}`);
}
