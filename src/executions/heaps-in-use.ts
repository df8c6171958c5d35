import { resolveHeap } from '../heaps/resolve.ts';
import type { Store } from '../store/types.ts';
import type { LiveExecution } from './live.ts';

/** The keys of the heaps that executions run on, or will. */
export async function heapsInUse(store: Store, live: readonly LiveExecution[]): Promise<ReadonlySet<string>> {
  const resolved = live.map(async ({ heap, session, inputHeap }) => {
    return inputHeap ?? (heap === null ? null : await resolveHeap(store, heap, session));
  });
  return new Set((await Promise.all(resolved)).filter((key) => key !== null));
}
