import type { Completed, Outcome } from '../engine/outcome.ts';

/** Why there is no value, for the person at the terminal. */
export function failureText(outcome: Exclude<Outcome, Completed>): string {
  switch (outcome.kind) {
    case 'failed':
      return outcome.error.stack;
    case 'timed_out':
      return 'Execution timed out';
    case 'cancelled':
      return 'Cancelled by user';
    case 'out_of_memory':
      return 'Out of memory: V8 heap limit exceeded. Try increasing --heap-memory-max.';
    case 'process_died':
      return outcome.message;
  }
}

const statuses = {
  completed: 'completed',
  failed: 'failed',
  timed_out: 'timed_out',
  cancelled: 'cancelled',
  out_of_memory: 'failed',
  process_died: 'failed',
} as const;

/** The same for programs, with the names that executions of a server have. */
export function outcomeView(outcome: Outcome, output: readonly Uint8Array[]) {
  const completed = outcome.kind === 'completed' ? outcome : null;
  return {
    status: statuses[outcome.kind],
    result: completed && completed.value.kind !== 'undefined' ? completed.value.text : null,
    error: outcome.kind === 'completed' ? null : failureText(outcome),
    duration_ms: completed ? Math.round((completed.times.restore + completed.times.run) * 1000) / 1000 : null,
    output: Buffer.concat(output).toString(),
  };
}
