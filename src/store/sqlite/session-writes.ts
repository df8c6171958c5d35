import type { DatabaseSync } from 'node:sqlite';
import { integer } from './rows.ts';

export function sessionWrites(database: DatabaseSync) {
  const count = database.prepare(`INSERT INTO sessions (name, entries, latest_heap) VALUES (?1, 1, ?2)
    ON CONFLICT (name) DO UPDATE SET entries = entries + 1, latest_heap = coalesce(?2, latest_heap)
    RETURNING id, entries`);
  const insert = database.prepare('INSERT INTO session_entries (session, position, execution) VALUES (?, ?, ?)');
  return {
    /** One entry more, whose index is the number of those before it. */
    log(session: string, execution: number, outputHeap: string | null): void {
      const row = count.get(session, outputHeap);
      if (row) insert.run(integer(row, 'id'), integer(row, 'entries') - 1, execution);
    },
  };
}
