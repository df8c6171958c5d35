import type { DatabaseSync } from 'node:sqlite';
import type { CallOutcome, CallRecord, KeptText } from '../calls.ts';
import { integer, oneOf, orNull, type Row, text } from './rows.ts';

export function callReads(database: DatabaseSync) {
  const list = database.prepare(`SELECT position, server, tool, arguments, argument_bytes, outcome, code, message,
      result, result_bytes, started_at, duration_ms FROM calls
    WHERE execution = (SELECT sequence FROM executions WHERE id = ?) AND position > ? ORDER BY position LIMIT ?`);
  return {
    calls: (execution: string, { limit, after = -1 }: { limit: number; after?: number }): CallRecord[] =>
      list.all(execution, after, limit).map(callRecord),
  };
}

const outcomes: readonly CallOutcome[] = ['running', 'ok', 'error', 'cancelled', 'refused'];

function callRecord(row: Row): CallRecord {
  return {
    index: integer(row, 'position'),
    server: text(row, 'server'),
    tool: text(row, 'tool'),
    arguments: kept(row, 'arguments', 'argument_bytes'),
    outcome: oneOf(row, 'outcome', outcomes),
    code: orNull(text, row, 'code'),
    message: orNull(text, row, 'message'),
    result: row.result === null ? null : kept(row, 'result', 'result_bytes'),
    startedAt: integer(row, 'started_at'),
    durationMs: orNull(integer, row, 'duration_ms'),
  };
}

function kept(row: Row, column: string, bytes: string): KeptText {
  return { text: text(row, column), bytes: integer(row, bytes) };
}
