import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  Execution,
  ExecutionSummary,
  OutputChunk,
  OutputTotals,
  SessionEntry,
  SessionQuery,
  Source,
  StoreStatistics,
  TaggedHeap,
  Tags,
} from '../types.ts';
import { isKey, keyBytes, keyText } from './heap-rows.ts';
import { lastLineOf } from './output-lines.ts';
import {
  bytes,
  execution,
  executionColumns,
  executionSummary,
  integer,
  orNull,
  type Row,
  source,
  summaryColumns,
  text,
} from './rows.ts';

const sliceMs = 4;

/** Reads on the server's own thread: each by an index, long answers in slices between which other work gets its turn. */
export function reads(database: DatabaseSync) {
  const byId = database.prepare(`SELECT ${executionColumns} FROM executions WHERE id = ?`);
  const summaries = (rest: string) => database.prepare(`SELECT ${summaryColumns} FROM executions WHERE ${rest}`);
  const summaryById = summaries('id = ?');
  const newest = summaries('sequence < ? ORDER BY sequence DESC LIMIT ?');
  const newestOf = summaries('status = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?');
  const running = summaries(`status = 'running' AND sequence > ? ORDER BY sequence`);
  const sourceOf = database.prepare(`SELECT code, input FROM sources
    WHERE execution = (SELECT sequence FROM executions WHERE id = ?)`);
  const chunk = (condition: string) =>
    database.prepare(`SELECT start_byte, start_line, bytes FROM output
      WHERE execution = (SELECT sequence FROM executions WHERE id = ?) ${condition} DESC LIMIT 1`);
  const byByte = chunk('AND start_byte <= ? ORDER BY start_byte');
  const byLine = chunk('AND start_line < ? ORDER BY start_line DESC, start_byte');
  const lastChunk = chunk('ORDER BY start_byte');
  const totals = database.prepare(`SELECT bytes, lines FROM output_totals
    WHERE execution = (SELECT sequence FROM executions WHERE id = ?)`);
  const tagsOf = database.prepare(
    `SELECT t.key, t.value FROM tags t WHERE t.heap = (SELECT id FROM heaps WHERE key = ?)`,
  );
  const tagsOfId = database.prepare('SELECT key, value FROM tags WHERE heap = ?');
  const tagged = database.prepare(`SELECT DISTINCT t.heap AS id, h.key FROM tags t JOIN heaps h ON h.id = t.heap
    WHERE t.heap < ? ORDER BY t.heap DESC`);
  const taggedWith = database.prepare(`SELECT t.heap AS id, h.key FROM tags t JOIN heaps h ON h.id = t.heap
    WHERE t.key = ? AND t.value = ? AND t.heap < ? ORDER BY t.heap DESC`);
  const names = database.prepare('SELECT id, name FROM sessions WHERE id > ? ORDER BY id');
  const session = database.prepare('SELECT id, entries, latest_heap FROM sessions WHERE name = ?');
  const sessionLog = (code: string, join: string) =>
    database.prepare(`SELECT n.position, e.input_heap, e.output_heap, e.completed_at, ${code} AS code
      FROM session_entries n JOIN executions e ON e.sequence = n.execution ${join}
      WHERE n.session = ? AND n.position > ? AND n.position < ? ORDER BY n.position`);
  const entries = sessionLog('s.code', 'JOIN sources s ON s.execution = n.execution');
  const entriesWithoutCode = sessionLog(`''`, '');
  const statistics = database.prepare(`SELECT heaps, heap_bytes, output_bytes,
    (SELECT coalesce(max(sequence), 0) FROM executions) AS executions FROM totals`);
  const all = Number.MAX_SAFE_INTEGER;

  return {
    execution(id: string): Execution | null {
      const row = byId.get(id);
      return row ? execution(row) : null;
    },
    summary(id: string): ExecutionSummary | null {
      const row = summaryById.get(id);
      return row ? executionSummary(row) : null;
    },
    source(id: string): Source | null {
      const row = sourceOf.get(id);
      return row ? source(row) : null;
    },
    executions(query: { limit: number; status?: string; before?: number }): Promise<ExecutionSummary[]> {
      const { limit, status, before = all } = query;
      const rest = (last: Row | undefined, had: number) => [last ? integer(last, 'sequence') : before, limit - had];
      return status === undefined
        ? inSlices(newest, executionSummary, rest)
        : inSlices(newestOf, executionSummary, (last, had) => [status, ...rest(last, had)]);
    },
    unfinished(): Promise<ExecutionSummary[]> {
      return inSlices(running, executionSummary, (last) => [last ? integer(last, 'sequence') : 0]);
    },
    chunkAtByte(id: string, byte: number): OutputChunk | null {
      const found = outputChunk(byByte.get(id, byte));
      return found && byte < found.startByte + found.bytes.length ? found : null;
    },
    chunkBeforeLine: (id: string, line: number): OutputChunk | null => outputChunk(byLine.get(id, line)),
    lastChunk: (id: string): OutputChunk | null => outputChunk(lastChunk.get(id)),
    outputTotals(id: string): OutputTotals {
      const row = totals.get(id);
      if (row) return { bytes: integer(row, 'bytes'), lines: integer(row, 'lines') };
      const last = outputChunk(lastChunk.get(id)); // from before there was that table
      return last ? { bytes: last.startByte + last.bytes.length, lines: lastLineOf(last) } : { bytes: 0, lines: 0 };
    },
    tags: (heap: string): Tags => (isKey(heap) ? tagsIn(tagsOf.all(keyBytes(heap))) : {}),
    async tagged(wanted: Tags): Promise<TaggedHeap[]> {
      const before = (last: Row | undefined) => (last ? integer(last, 'id') : all);
      const [first] = Object.entries(wanted);
      const hasAll = (tags: Tags) =>
        Object.entries(wanted).every(([key, value]) => Object.hasOwn(tags, key) && tags[key] === value);
      const read = (row: Row) => ({ heap: keyText(bytes(row, 'key')), tags: tagsIn(tagsOfId.all(integer(row, 'id'))) });
      const heaps = first
        ? inSlices(taggedWith, read, (last) => [...first, before(last)])
        : inSlices(tagged, read, (last) => [before(last)]);
      return (await heaps).filter(({ tags }) => hasAll(tags) && Object.keys(tags).length > 0); // they may go while it looks
    },
    sessionNames(): Promise<string[]> {
      return inSlices(
        names,
        (row) => text(row, 'name'),
        (last) => [last ? integer(last, 'id') : 0],
      );
    },
    async sessionEntries(name: string, query: SessionQuery): Promise<SessionEntry[]> {
      const row = session.get(name);
      if (!row) return [];
      const start = query.offset ?? Math.max(0, integer(row, 'entries') - query.limit);
      const position = (last: Row | undefined) => (last ? integer(last, 'position') : start - 1);
      const log = query.code === false ? entriesWithoutCode : entries;
      return inSlices(log, sessionEntry, (last) => [integer(row, 'id'), position(last), start + query.limit]);
    },
    latestHeap(name: string): string | null {
      const row = session.get(name);
      return row ? orNull(text, row, 'latest_heap') : null;
    },
    statistics(): StoreStatistics {
      const row = statistics.get() ?? {};
      return {
        executions: integer(row, 'executions'),
        heaps: integer(row, 'heaps'),
        heapBytes: integer(row, 'heap_bytes'),
        outputBytes: integer(row, 'output_bytes'),
      };
    },
  };
}

/** All rows of a query that can go on after any row: `parameters` are those with which it does. */
async function inSlices<T>(
  statement: StatementSync,
  read: (row: Row) => T,
  parameters: (last: Row | undefined, had: number) => SQLInputValue[],
): Promise<T[]> {
  const found: T[] = [];
  for (let last: Row | undefined; ; await nextTurn()) {
    const until = performance.now() + sliceMs;
    let done = true;
    for (const row of statement.iterate(...parameters(last, found.length))) {
      found.push(read(row));
      last = row;
      done = performance.now() < until;
      if (!done) break;
    }
    if (done) return found;
  }
}

function outputChunk(row: Row | undefined): OutputChunk | null {
  if (!row) return null;
  return { startByte: integer(row, 'start_byte'), startLine: integer(row, 'start_line'), bytes: bytes(row, 'bytes') };
}

function tagsIn(rows: readonly Row[]): Tags {
  return Object.fromEntries(rows.map((row) => [text(row, 'key'), text(row, 'value')]));
}

function sessionEntry(row: Row): SessionEntry {
  return {
    index: integer(row, 'position'),
    inputHeap: orNull(text, row, 'input_heap'),
    outputHeap: orNull(text, row, 'output_heap'),
    code: text(row, 'code'),
    timestamp: integer(row, 'completed_at'),
  };
}
