import type { Build } from '../engine/build.ts';
import { CayError } from '../errors.ts';
import type { HeapStore } from '../store/types.ts';

/**
 * The raw heap under a key, fit for this engine; null when it is gone. Rejects with `heap_of_another_engine` or
 * `heap_damaged`: for V8 such bytes would be code of unknown effect.
 */
export async function restoreHeap(heaps: HeapStore, key: string, build: Build): Promise<Uint8Array | null> {
  const info = await heaps.info(key);
  if (!info) return null;
  if (info.fingerprint !== build.fingerprint) {
    const theirs = `V8 ${info.v8}, engine ${info.fingerprint}`;
    const ours = `V8 ${build.jit.v8}, engine ${build.fingerprint}`;
    const message = `Heap '${key}' is of another engine version: it was made by ${theirs}; this is ${ours}`;
    throw new CayError('heap_of_another_engine', message);
  }
  return (await heaps.get(key))?.raw ?? null;
}
