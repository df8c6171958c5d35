import type { SQLOutputValue } from 'node:sqlite';
import type { Execution, ExecutionSummary, Source, Status, Submission, Tags } from '../types.ts';

export type Row = Record<string, SQLOutputValue>;

export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw unexpected(column, value);
  return value;
}

export function integer(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw unexpected(column, value);
  return value;
}

export function bytes(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw unexpected(column, value);
  return value;
}

export function orNull<T>(read: (row: Row, column: string) => T, row: Row, column: string): T | null {
  return row[column] === null ? null : read(row, column);
}

/** What `executionSummary` reads. */
export const summaryColumns = `sequence, id, kind, heap, session, heap_mb, timeout_ms, submitted_at, status, started,
  input_heap, heap_restored, output_heap, completed_at, duration_ms`;

/** What `execution` reads. */
export const executionColumns = `${summaryColumns}, tags, heap_error, error, result`;

export function execution(row: Row): Execution {
  return {
    ...executionSummary(row),
    tags: orNull(tagsIn, row, 'tags'),
    result: orNull(text, row, 'result'),
    error: orNull(text, row, 'error'),
    heapError: orNull(text, row, 'heap_error'),
  };
}

export function executionSummary(row: Row): ExecutionSummary {
  return {
    id: text(row, 'id'),
    kind: oneOf<Submission['kind']>(row, 'kind', ['run_js', 'code_execution']),
    heap: orNull(text, row, 'heap'),
    session: orNull(text, row, 'session'),
    heapMb: integer(row, 'heap_mb'),
    timeoutMs: integer(row, 'timeout_ms'),
    submittedAt: integer(row, 'submitted_at'),
    sequence: integer(row, 'sequence'),
    status: oneOf<Status>(row, 'status', ['running', 'completed', 'failed', 'timed_out', 'cancelled']),
    started: integer(row, 'started') === 1,
    inputHeap: orNull(text, row, 'input_heap'),
    heapRestored: orNull((from, column) => integer(from, column) === 1, row, 'heap_restored'),
    outputHeap: orNull(text, row, 'output_heap'),
    completedAt: orNull(integer, row, 'completed_at'),
    durationMs: orNull(integer, row, 'duration_ms'),
  };
}

export function source(row: Row): Source {
  return { code: text(row, 'code'), input: orNull(text, row, 'input') };
}

function tagsIn(row: Row, column: string): Tags {
  const tags: unknown = JSON.parse(text(row, column));
  return Object.fromEntries(Object.entries(tags ?? {}).map(([key, value]) => [key, String(value)]));
}

export function oneOf<T extends string>(row: Row, column: string, values: readonly T[]): T {
  const value = values.find((known) => known === row[column]);
  if (value === undefined) throw unexpected(column, row[column]);
  return value;
}

function unexpected(column: string, value: unknown): Error {
  return new Error(`The database holds ${value === null ? 'null' : `a ${typeof value}`} in \`${column}\``);
}
