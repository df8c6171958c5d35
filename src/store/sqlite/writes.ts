import type { DatabaseSync } from 'node:sqlite';
import { CayError } from '../../errors.ts';
import type { Ending, OutputChunk, Submission, Tags } from '../types.ts';
import { artifactWrites } from './artifact-writes.ts';
import { auditWrites } from './audit-writes.ts';
import { callWrites } from './call-writes.ts';
import type { PackedHeap } from './heap-packer.ts';
import { heapWrites } from './heap-writes.ts';
import { lastLineOf } from './output-lines.ts';
import { integer, orNull, type Row, text } from './rows.ts';
import { sessionWrites } from './session-writes.ts';
import { tagWrites } from './tag-writes.ts';

export interface FinishOptions {
  readonly id: string;
  readonly ending: Omit<Ending, 'heap'>;
  readonly heap: PackedHeap | null;
}

/** `base_gone`: what the heap was packed against is no longer there; nothing was written. */
export type Finished =
  | { readonly kind: 'ended'; readonly storedHeap: boolean }
  | { readonly kind: 'ended_before' | 'base_gone' };

/** Everything that changes the database. Each runs inside a transaction, and throws when nothing of it is to stay. */
export function writes(database: DatabaseSync) {
  const insert = database.prepare(`INSERT INTO executions
    (id, kind, heap, session, tags, heap_mb, timeout_ms, submitted_at, status, started)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'running', ?) RETURNING sequence`);
  const insertSource = database.prepare('INSERT INTO sources (execution, code, input) VALUES (?, ?, ?)');
  const find = database.prepare('SELECT sequence, kind, session, tags, status FROM executions WHERE id = ?');
  const begin = database.prepare(`UPDATE executions SET started = 1 WHERE sequence = ? AND status = 'running'`);
  const turn = database.prepare('UPDATE executions SET started = 1 - started WHERE sequence = ?');
  const end = database.prepare(`UPDATE executions SET status = ?, result = ?, error = ?, input_heap = ?,
    heap_restored = ?, output_heap = ?, heap_error = ?, completed_at = ?, duration_ms = ? WHERE sequence = ?`);
  const insertChunk = database.prepare(
    'INSERT INTO output (execution, start_byte, start_line, bytes) VALUES (?, ?, ?, ?)',
  );
  const setTotals = database.prepare('INSERT OR REPLACE INTO output_totals (execution, bytes, lines) VALUES (?, ?, ?)');
  const heaps = heapWrites(database);
  const tags = tagWrites(database);
  const sessions = sessionWrites(database);

  const known = (id: string): Row => {
    const row = find.get(id);
    if (!row) throw new CayError('not_found', `Execution '${id}' not found`);
    return row;
  };

  const all = {
    add({ submission, started }: { submission: Submission; started: boolean }): number {
      const { id, kind, heap, session, heapMb, timeoutMs, submittedAt } = submission;
      const tags = submission.tags && JSON.stringify(submission.tags);
      const row = insert.get(id, kind, heap, session, tags, heapMb, timeoutMs, submittedAt, Number(started));
      const sequence = row ? integer(row, 'sequence') : 0;
      insertSource.run(sequence, submission.code, submission.input);
      return sequence;
    },

    start(id: string): null {
      begin.run(integer(known(id), 'sequence'));
      return null;
    },

    /** There and back: syncing it syncs all before it. For a change to the same SQLite would write nothing, and not sync. */
    sync(id: string): null {
      const sequence = integer(known(id), 'sequence');
      turn.run(sequence);
      turn.run(sequence);
      return null;
    },

    finish({ id, ending, heap }: FinishOptions): Finished {
      const row = known(id);
      if (text(row, 'status') !== 'running') return { kind: 'ended_before' };
      const stored = heap && heaps.store(heap, ending.completedAt);
      if (stored?.kind === 'base_gone') return stored;
      const { status, result, error, inputHeap, heapError, completedAt, durationMs } = ending;
      const restored = ending.heapRestored === null ? null : Number(ending.heapRestored);
      const sequence = integer(row, 'sequence');
      const key = heap?.key ?? null;
      end.run(status, result, error, inputHeap, restored, key, heapError, completedAt, durationMs, sequence);
      const wanted = orNull(text, row, 'tags');
      if (stored && wanted !== null) tags.replace(stored.id, JSON.parse(wanted));
      const session = orNull(text, row, 'session');
      if (session !== null && text(row, 'kind') === 'run_js') sessions.log(session, sequence, key);
      return { kind: 'ended', storedHeap: stored?.isNew ?? false };
    },

    append({ id, chunks }: { id: string; chunks: readonly OutputChunk[] }): null {
      const sequence = integer(known(id), 'sequence');
      for (const { startByte, startLine, bytes } of chunks) insertChunk.run(sequence, startByte, startLine, bytes);
      const last = chunks.at(-1);
      if (last) setTotals.run(sequence, last.startByte + last.bytes.length, lastLineOf(last));
      return null;
    },

    setTags({ heap, tags: wanted }: { heap: string; tags: Tags }): boolean {
      const id = heaps.idOf(heap);
      if (id !== null) tags.replace(id, wanted);
      return id !== null;
    },

    removeTags({ heap, keys }: { heap: string; keys: readonly string[] | null }): boolean {
      const id = heaps.idOf(heap);
      if (id !== null) tags.remove(id, keys);
      return id !== null;
    },

    retain: heaps.retain,
    ...auditWrites(database),
    ...artifactWrites(database),
    ...callWrites(database),
  };
  // Under names that the writer need not sync for.
  return { ...all, addUnsynced: all.add, finishUnsynced: all.finish };
}

export type Writes = ReturnType<typeof writes>;
