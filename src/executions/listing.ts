import type { ExecutionStore, ExecutionSummary } from '../store/types.ts';
import { atLeast } from './page-query.ts';
import type { ListQuery } from './types.ts';

export const newestOthers = 1000;
const largestLimit = 10_000;
const everything = Number.MAX_SAFE_INTEGER;

/** Newest first. Without a limit: all that run, and the newest 1,000 others. */
export async function listExecutions(store: ExecutionStore, query: ListQuery): Promise<ExecutionSummary[]> {
  const { limit, status, before } = query;
  const narrowed = before === undefined ? {} : { before };
  if (limit !== undefined) {
    const most = Math.min(atLeast(1, 'limit', limit), largestLimit);
    return store.list({ ...narrowed, limit: most, ...(status === undefined ? {} : { status }) });
  }
  if (status === 'running') return store.list({ ...narrowed, status, limit: everything });
  if (status !== undefined) return store.list({ ...narrowed, status, limit: newestOthers });
  const running = await store.list({ ...narrowed, status: 'running', limit: everything });
  const newest = await store.list({ ...narrowed, limit: newestOthers + running.length });
  // One that ended between the two reads is in both: the later one is right.
  const found = new Map([...running, ...newest].map((execution) => [execution.id, execution]));
  let others = 0;
  return [...found.values()]
    .sort((a, b) => b.sequence - a.sequence)
    .filter(({ status: now }) => now === 'running' || ++others <= newestOthers);
}
