import type { ExecutionStore, HeapStore, SessionStore } from '../store/types.ts';

interface Known {
  readonly heaps: Pick<HeapStore, 'info' | 'withPrefix'>;
  readonly executions: Pick<ExecutionStore, 'summary'>;
  readonly sessions: Pick<SessionStore, 'latestHeap'>;
}

const key = /^[0-9a-f]{64}$/;
export const isHeapKey = (reference: string): boolean => key.test(reference);
const prefix = /^[0-9a-f]{12,63}$/;

/**
 * The key of the heap that a caller means: a key, a unique prefix of at least 12 digits, an execution's id, or `latest`
 * of the session. Null when there is no such heap, whatever it looks like.
 */
export async function resolveHeap(store: Known, reference: string, session: string | null): Promise<string | null> {
  if (reference === 'latest') return session === null ? null : store.sessions.latestHeap(session);
  if (key.test(reference)) return (await store.heaps.info(reference)) ? reference : null;
  if (prefix.test(reference)) {
    const [found, other] = await store.heaps.withPrefix(reference, 2);
    if (found !== undefined && other === undefined) return found;
  }
  return (await store.executions.summary(reference))?.outputHeap ?? null;
}
