import { mkdirSync } from 'node:fs';
import { mendRestore } from '../backup/mend.ts';
import type { Store } from '../types.ts';
import { lockFolder, openForReading } from './database.ts';
import { storeError } from './failures.ts';
import type { HeapCalls, HeapThreadData } from './heap-thread.ts';
import { sharedHeaps } from './shared-heap.ts';
import { storeOf } from './store.ts';
import { Thread } from './thread.ts';
import type { WriterCalls, WriterThreadData } from './writer-thread.ts';

export interface SqliteStoreOptions {
  readonly folder: string;
  /** The path of the core, which has the delta codec: `loadBuild().addon`. */
  readonly codec: string;
  /** Of raw heaps that stay in memory; 128. */
  readonly cacheMb?: number;
  /** Of the engine whose heaps are restored here. */
  readonly fingerprint?: string;
  /** Gets memory of heaps that nobody reads any more. */
  readonly reuse?: (raw: Uint8Array) => void;
  /** Told what became of a restore that was cut off. */
  readonly onMended?: (message: string) => void;
}

/** Opens the store in a folder, which it makes if needed. One process at a time has it. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { folder, codec, cacheMb = 128, fingerprint = null, reuse = () => {} } = options;
  const lock = await locked(folder, options.onMended);
  const cacheBytes = cacheMb * 2 ** 20;
  const heapData: HeapThreadData = { folder, addon: codec, cacheBytes, fingerprint };
  const writerData: WriterThreadData = { folder };
  const heapThread = new Thread<HeapCalls>('heap-thread', heapData);
  const writer = new Thread<WriterCalls>('writer-thread', writerData);
  try {
    await writer.call('open', null);
    await heapThread.call('open', null);
    const database = openForReading(folder);
    const heaps = sharedHeaps(codec);
    return storeOf({ folder, lock, heapThread, writer, database, cacheBytes, sharedHeaps: heaps, reuse });
  } catch (error) {
    await Promise.all([heapThread.end(), writer.end()]);
    lock.close();
    throw storeError(error);
  }
}

async function locked(folder: string, onMended: (message: string) => void = () => {}) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = lockFolder(folder);
    try {
      const mended = await mendRestore(folder);
      if (mended !== null) onMended(mended);
      return lock;
    } catch (error) {
      lock.close();
      throw error;
    }
  } catch (error) {
    throw storeError(error);
  }
}
