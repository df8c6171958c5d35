import { setTimeout } from 'node:timers/promises';
import type { Ending, Execution } from '../store/types.ts';
import type { LiveExecution, RunStore } from './live.ts';

const retryAfterMs = 500;

/** Told once of an execution whose end cannot be stored for now. */
export type OnStall = (id: string, error: unknown) => void;

/**
 * Stores the one ending of an execution, after all of its output. Whoever comes second is ignored. A disk that is full
 * costs the heap first; then it is waited for, and the execution goes on running for everybody else.
 */
export async function finish(live: LiveExecution, ending: Ending, onStall?: OnStall): Promise<void> {
  if (!live.life.move('ending')) return;
  const { executions } = live.store;
  for (let attempt = ending; !live.life.over; ) {
    try {
      await live.drain();
      const ended = (await storeEnding(executions, live.id, attempt)) ?? (await executions.get(live.id));
      if (!live.life.over) live.end(ended);
    } catch (error) {
      if (live.stall(error)) onStall?.(live.id, error);
      if (attempt.heap) attempt = withoutHeap(attempt, error);
      await Promise.race([setTimeout(retryAfterMs), live.ended]);
    }
  }
}

async function storeEnding(store: RunStore['executions'], id: string, ending: Ending): Promise<Execution | null> {
  if (!ending.heap) return store.finish(id, ending);
  try {
    return await store.finish(id, ending);
  } catch (error) {
    return store.finish(id, withoutHeap(ending, error));
  }
}

function withoutHeap(ending: Ending, error: unknown): Ending {
  const reason = error instanceof Error ? error.message : String(error);
  return { ...ending, heap: null, heapError: `The heap could not be saved: ${reason}` };
}
