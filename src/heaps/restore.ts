import type { Build } from '../engine/build.ts';
import { CayError } from '../errors.ts';
import type { FoundHeap, HeapStore } from '../store/types.ts';

/**
 * The raw heap under a key, fit for this engine; null when it is gone. Rejects with `heap_of_another_engine` or
 * `heap_damaged`: for V8 such bytes would be code of unknown effect.
 */
export async function restoreHeap(heaps: Pick<HeapStore, 'get'>, key: string, build: Build): Promise<FoundHeap | null> {
  const heap = await heaps.get(key);
  if (heap && heap.info.fingerprint !== build.fingerprint) {
    const { info } = heap;
    heap.done();
    const theirs = `V8 ${info.v8}, engine ${info.fingerprint}`;
    const ours = `V8 ${build.jit.v8}, engine ${build.fingerprint}`;
    const message = `Heap '${key}' is of another engine version: it was made by ${theirs}; this is ${ours}`;
    throw new CayError('heap_of_another_engine', message);
  }
  return heap;
}
