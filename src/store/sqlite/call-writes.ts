import type { DatabaseSync } from 'node:sqlite';
import { CayError } from '../../errors.ts';
import type { CallRecord } from '../calls.ts';
import { integer } from './rows.ts';

export function callWrites(database: DatabaseSync) {
  const find = database.prepare('SELECT sequence FROM executions WHERE id = ?');
  const put = database.prepare(`INSERT OR REPLACE INTO calls
    (execution, position, server, tool, arguments, argument_bytes, outcome, code, message, result, result_bytes,
      started_at, duration_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  return {
    putCalls({ execution, records }: { execution: string; records: readonly CallRecord[] }): null {
      const row = find.get(execution);
      if (!row) throw new CayError('not_found', `Execution '${execution}' not found`);
      const sequence = integer(row, 'sequence');
      for (const record of records) {
        const { index, server, tool, arguments: given, outcome, code, message, result } = record;
        const texts = [given.text, given.bytes, outcome, code, message, result?.text ?? null, result?.bytes ?? null];
        put.run(sequence, index, server, tool, ...texts, record.startedAt, record.durationMs);
      }
      return null;
    },
  };
}
