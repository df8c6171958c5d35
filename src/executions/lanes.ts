import type { Lane } from '../engine/pool.ts';
import type { Submission } from '../store/types.ts';

/** Each kind has its own places: neither waits for the other. */
export function laneOf(kind: Submission['kind']): Lane {
  return kind === 'run_js' ? 'main' : 'side';
}
