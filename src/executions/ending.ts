import type { Build } from '../engine/build.ts';
import type { Outcome, RunError, RunValue } from '../engine/outcome.ts';
import type { Ending } from '../store/types.ts';

export const texts = {
  timedOut: 'Execution timed out',
  cancelled: 'Cancelled by user',
  outOfMemory: 'Out of memory: V8 heap limit exceeded. Try increasing heap_memory_max_mb.',
  serverStopped: 'The server stopped while this execution was running',
  beganEmpty: 'This run began empty: pass `heap` to continue from an earlier run',
  heapNotFound:
    'The heap that was asked for was not found, so this run began empty: pass `heap` to continue from an earlier run',
} as const;

/** What is known about a run before its outcome. */
export interface Beginning {
  readonly inputHeap: string | null;
  /** Null: no heap was asked for. */
  readonly heapRestored: boolean | null;
}

/** How an execution ends whose run had this outcome; `elapsedMs` is since it left the queue. */
export function endingOf(outcome: Outcome, beginning: Beginning, elapsedMs: number, build: Build): Ending {
  if (outcome.kind !== 'completed') {
    const [status, error] = statusOf(outcome, beginning);
    return failedEnding(status, error, beginning, elapsedMs);
  }
  const { value, heap, heapError, times } = outcome;
  return {
    ...emptyEnding(beginning, times.restore + times.run),
    status: 'completed',
    result: resultText(value),
    heap: heap ? { raw: heap, fingerprint: build.fingerprint, v8: build.jit.v8 } : null,
    heapError,
  };
}

/** An ending without a value. */
export function failedEnding(
  status: 'failed' | 'timed_out' | 'cancelled',
  error: string,
  beginning: Beginning = { inputHeap: null, heapRestored: null },
  elapsedMs = 0,
): Ending {
  return { ...emptyEnding(beginning, elapsedMs), status, error };
}

function emptyEnding({ inputHeap, heapRestored }: Beginning, durationMs: number): Omit<Ending, 'status'> {
  const duration = Math.max(Math.round(durationMs * 1000) / 1000, 0);
  const nothing = { result: null, error: null, heap: null, heapError: null };
  return { ...nothing, inputHeap, heapRestored, completedAt: Date.now(), durationMs: duration };
}

function statusOf(outcome: Exclude<Outcome, { kind: 'completed' }>, beginning: Beginning) {
  switch (outcome.kind) {
    case 'timed_out':
      return ['timed_out', texts.timedOut] as const;
    case 'cancelled':
      return ['cancelled', texts.cancelled] as const;
    case 'out_of_memory':
      return ['failed', texts.outOfMemory] as const;
    case 'process_died':
      return ['failed', outcome.message] as const;
    case 'failed':
      return ['failed', thrownText(outcome.error, beginning)] as const;
  }
}

function thrownText({ phase, name, stack }: RunError, { heapRestored }: Beginning): string {
  const lost = phase === 'runtime' && name === 'ReferenceError' && heapRestored !== true;
  if (!lost) return stack;
  return `${stack}\n${heapRestored === null ? texts.beganEmpty : texts.heapNotFound}`;
}

function resultText(value: RunValue): string | null {
  return value.kind === 'undefined' ? null : value.text;
}
