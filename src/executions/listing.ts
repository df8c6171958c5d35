import type { Execution, ExecutionStore } from '../store/types.ts';
import { atLeast } from './page-query.ts';
import type { ListQuery } from './types.ts';

const newestOthers = 1000;
const largestLimit = 10_000;
const everything = Number.MAX_SAFE_INTEGER;

/** Newest first. Without a limit: all that run, and the newest 1,000 others. */
export async function listExecutions(store: ExecutionStore, query: ListQuery): Promise<Execution[]> {
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
  const others = newest.filter((execution) => execution.status !== 'running').slice(0, newestOthers);
  // Between the two reads one may have ended: the later read is right.
  const ended = new Set(others.map((execution) => execution.id));
  const stillRunning = running.filter((execution) => !ended.has(execution.id));
  const started = newest.filter((execution) => execution.status === 'running' && !running.some(sameAs(execution)));
  return [...started, ...stillRunning, ...others].sort((a, b) => b.sequence - a.sequence);
}

function sameAs(execution: Execution): (other: Execution) => boolean {
  return (other) => other.id === execution.id;
}
