// The thread that hashes, packs and rebuilds heaps, one at a time, so that neither the server nor the writer waits for it.
import { parentPort, workerData } from 'node:worker_threads';
import { CayError } from '../../errors.ts';
import { heapCodec } from './codec.ts';
import { heapFolder, openForReading } from './database.ts';
import { HeapCache } from './heap-cache.ts';
import { HeapFiles } from './heap-files.ts';
import { type PackedHeap, type PackOptions, packHeap } from './heap-packer.ts';
import { type HeapParts, readReference, rebuild } from './heap-reader.ts';
import { heapRows } from './heap-rows.ts';
import { sharedHeaps } from './shared-heap.ts';
import { answer, refuse, type ThreadRequest } from './thread.ts';

export interface HeapThreadData {
  readonly folder: string;
  readonly addon: string;
  readonly cacheBytes: number;
  readonly fingerprint: string | null;
}

export interface HeapCalls {
  /** The first call, when the database is there. */
  open(argument: null): null;
  pack(options: PackOptions & Told): { readonly ticket: number; readonly heap: PackedHeap };
  /** Once more, as a keyframe: what it was packed against has been taken away since. */
  packWhole(ticket: number): PackedHeap;
  /** In memory that the main thread has not been given before. */
  get(key: string): Uint8Array | null;
  close(argument: null): null;
  [name: string]: (argument: never) => unknown;
}

/** What there is to say with a heap: a message of its own would wake the thread for nothing else. */
interface Told {
  /** Tickets whose rows are written, or never will be: their raw heaps are no longer needed. */
  readonly settled: readonly number[];
  /** Heaps whose memory will be used again. */
  readonly forget: readonly string[];
}

/** Shared memory is the main thread's to count, and soon used again; but not in such pieces. */
const largeHeap = 8 * 2 ** 20;

const { folder, addon, cacheBytes, fingerprint }: HeapThreadData = workerData;
if (!parentPort) throw new Error('heap-thread.ts is for a worker thread');
const port = parentPort;
const packing = new Map<number, PackOptions>();
let tickets = 0;

const codec = heapCodec(addon);
const heaps = sharedHeaps(addon);
let state: { parts: HeapParts; close(): Promise<void> } | null = null;

function open() {
  const database = openForReading(folder);
  const files = new HeapFiles(heapFolder(folder));
  const rows = heapRows(database);
  const swept = files.sweep(rows.hasFile).catch(() => {}); // what stays is swept at the next start
  const close = async () => {
    await swept;
    database.close();
  };
  const parts = { rows, files, codec, cache: new HeapCache(cacheBytes), reference: null };
  const reference = fingerprint === null ? null : readReference(parts, fingerprint);
  state = { parts: { ...parts, reference }, close };
  return null;
}

function parts(): HeapParts {
  if (!state) throw new CayError('closed', 'The store is closed');
  return state.parts;
}

const calls = {
  open,
  pack({ settled, forget, ...options }: PackOptions & Told) {
    for (const ticket of settled) packing.delete(ticket);
    for (const key of forget) parts().cache.forget(key);
    if (options.raw.length > largeHeap) heaps.hold(options.raw);
    const heap = packHeap(parts(), options);
    packing.set(++tickets, options);
    return { ticket: tickets, heap };
  },
  packWhole(ticket: number) {
    const options = packing.get(ticket);
    if (!options) throw new Error(`no heap is being packed under ${ticket}`);
    return packHeap(parts(), { ...options, whole: true });
  },
  get(key: string) {
    const row = parts().rows.find(key);
    if (!row) return null;
    try {
      const built = rebuild(parts(), row);
      const raw = parts().cache.get(key)?.shared ? heaps.copy(built) : heaps.share(built);
      parts().cache.set(key, { raw, checked: true, shared: true });
      return raw;
    } catch (error) {
      if (parts().rows.find(key) === null) return null; // taken away while it was being read
      throw error;
    }
  },
  async close() {
    await state?.close();
    state = null;
    return null;
  },
} satisfies Record<keyof HeapCalls & string, (argument: never) => unknown>;

port.on('message', async (requests: readonly ThreadRequest[]) => {
  for (const { number, call, argument } of requests) {
    try {
      const handler = calls[call as keyof typeof calls] as (argument: unknown) => unknown; // the types are in HeapCalls
      answer(port, number, await handler(argument));
    } catch (error) {
      refuse(port, number, error);
    }
  }
});
