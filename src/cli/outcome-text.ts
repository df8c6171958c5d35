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
