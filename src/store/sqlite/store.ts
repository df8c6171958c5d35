import type { DatabaseSync } from 'node:sqlite';
import type { ExecutionStore, HeapStore, OutputStore, Store } from '../types.ts';
import { artifactReads } from './artifact-reads.ts';
import { artifactStore } from './artifact-store.ts';
import { auditReads } from './audit-reads.ts';
import { auditStore } from './audit-store.ts';
import { callReads } from './call-reads.ts';
import { heapFolder } from './database.ts';
import { Gate } from './gate.ts';
import { removeHeapFile } from './heap-files.ts';
import { heapRows } from './heap-rows.ts';
import type { HeapCalls } from './heap-thread.ts';
import { reads } from './reads.ts';
import { RecentHeaps } from './recent-heaps.ts';
import { retainHeaps } from './retention.ts';
import type { SharedHeaps } from './shared-heap.ts';
import { type EndingParts, storeEnding } from './store-ending.ts';
import type { Thread } from './thread.ts';
import type { WriterCalls } from './writer-thread.ts';

export interface StoreParts {
  readonly folder: string;
  readonly lock: DatabaseSync;
  readonly heapThread: Thread<HeapCalls>;
  readonly writer: Thread<WriterCalls>;
  /** For reading, on this thread. */
  readonly database: DatabaseSync;
  /** Of raw heaps that stay in memory. */
  readonly cacheBytes: number;
  readonly sharedHeaps: SharedHeaps;
  /** Memory of heaps that nobody reads any more. */
  readonly reuse: (raw: Uint8Array) => void;
}

const unended = { result: null, error: null, inputHeap: null, heapRestored: null, outputHeap: null, heapError: null };

export function storeOf(storeParts: StoreParts): Store {
  const { folder, lock, heapThread, writer, database, cacheBytes, sharedHeaps, reuse } = storeParts;
  const read = reads(database);
  const rows = heapRows(database);
  const { calls } = callReads(database);
  const removeFile = (name: string) => removeHeapFile(heapFolder(folder), name);
  const recent = new RecentHeaps(cacheBytes, reuse);
  const endingParts: EndingParts = { heapThread, writer, removeFile, recent, settled: [] };
  const gate = new Gate();
  let closing: Promise<void> | null = null;

  const executions: ExecutionStore = {
    add: (submission, started, when = 'synced') =>
      gate.enter(async () => {
        const argument = { submission, started };
        const sequence = await (when === 'soon'
          ? writer.callSoon('addUnsynced', argument)
          : writer.call('add', argument));
        const { code: _, input: __, ...taken } = submission;
        return { ...taken, ...unended, sequence, status: 'running', started, completedAt: null, durationMs: null };
      }),
    start: (id, when = 'now') =>
      gate.enter(async () => {
        await (when === 'soon' ? writer.callSoon('start', id) : writer.call('start', id));
      }),
    sync: (id) =>
      gate.enter(async () => {
        await writer.call('sync', id);
      }),
    finish: (id, ending) =>
      gate.enter(async () => {
        const ended = await storeEnding(endingParts, id, ending);
        return ended ? read.execution(id) : null;
      }),
    get: (id) => gate.enter(() => read.execution(id)),
    summary: (id) => gate.enter(() => read.summary(id)),
    source: (id) => gate.enter(() => read.source(id)),
    list: (query) => gate.enter(() => read.executions(query)),
    unfinished: () => gate.enter(() => read.unfinished()),
  };

  async function getHeap(key: string) {
    const found = recent.borrow(key);
    const info = found?.info ?? rows.find(key)?.info;
    if (!info) {
      found?.done();
      return null;
    }
    if (found) return { ...found, info };
    const raw = await heapThread.call('get', key);
    if (!raw) return null;
    sharedHeaps.hold(raw);
    return { ...recent.addAndBorrow(key, raw), info };
  }

  const output: OutputStore = {
    append: (id, chunks) =>
      gate.enter(async () => {
        await writer.call('append', { id, chunks });
      }),
    atByte: (id, byte) => gate.enter(() => read.chunkAtByte(id, byte)),
    beforeLine: (id, line) => gate.enter(() => read.chunkBeforeLine(id, line)),
    last: (id) => gate.enter(() => read.lastChunk(id)),
    totals: (id) => gate.enter(() => read.outputTotals(id)),
  };

  const heaps: HeapStore = {
    get: (key) => gate.enter(() => getHeap(key)),
    info: (key) => gate.enter(() => rows.find(key)?.info ?? null),
    withPrefix: (prefix, limit) => gate.enter(() => rows.withPrefix(prefix, limit)),
    retain: (rules) => gate.enter(() => recent.doubtDuring(() => retainHeaps(writer, rules, removeFile))),
  };

  async function close(): Promise<void> {
    await gate.close();
    await heapThread.call('close', null);
    database.close();
    await writer.call('close', null); // last, so that it folds the log into the database
    await Promise.all([heapThread.end(), writer.end()]);
    lock.close();
  }

  return {
    executions,
    output,
    heaps,
    tags: {
      get: (heap) => gate.enter(() => read.tags(heap)),
      set: (heap, tags) => gate.enter(() => writer.call('setTags', { heap, tags })),
      remove: (heap, keys) => gate.enter(() => writer.call('removeTags', { heap, keys })),
      query: (tags) => gate.enter(() => read.tagged(tags)),
    },
    sessions: {
      names: () => gate.enter(() => read.sessionNames()),
      entries: (session, query) => gate.enter(() => read.sessionEntries(session, query)),
      latestHeap: (session) => gate.enter(() => read.latestHeap(session)),
    },
    calls: {
      put: (execution, records) =>
        gate.enter(async () => {
          await writer.call('putCalls', { execution, records });
        }),
      list: (execution, query) => gate.enter(() => calls(execution, query)),
    },
    audit: auditStore(gate, writer, auditReads(database)),
    artifacts: artifactStore(gate, writer, artifactReads(database)),
    statistics: () => gate.enter(() => read.statistics()),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
