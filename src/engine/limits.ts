import { CayError } from '../errors.ts';
import type { RunRequest } from './engine.ts';

/** The limits of a run: what it gets when it asks for nothing. */
export const defaults = {
  heapMb: 128,
  timeoutMs: 30_000,
  snapshotTimeoutMs: 60_000,
  maxOutputBytes: 64 * 2 ** 20,
  maxResultBytes: 16 * 2 ** 20,
  maxPendingCalls: 1000,
  maxCallBytes: 2 ** 20,
};

type Limits = typeof defaults;

const ranges: Record<keyof Limits, readonly [least: number, most: number]> = {
  heapMb: [8, 2 ** 16],
  timeoutMs: [1, 2 ** 31 - 1],
  snapshotTimeoutMs: [1, 2 ** 31 - 1],
  maxOutputBytes: [0, 2 ** 31 - 1],
  maxResultBytes: [64, 2 ** 27],
  maxPendingCalls: [1, 100_000],
  maxCallBytes: [64, 2 ** 28],
};

/** Every limit of the run, given or default. Throws for one that no run can have. */
export function checkLimits(request: Partial<Limits> & Pick<RunRequest, 'heap'>, maxHeapMb: number): Limits {
  const limits = { ...defaults };
  for (const name of Object.keys(defaults) as (keyof Limits)[]) {
    const asked = request[name];
    if (asked === undefined) continue;
    const [least, most] = ranges[name];
    if (!Number.isSafeInteger(asked) || asked < least || asked > most) {
      throw new CayError(
        'bad_limit',
        `Expected \`${name}\` to be a whole number from ${least} to ${most}, got ${asked}`,
      );
    }
    limits[name] = asked;
  }
  checkHeapMb(limits.heapMb, maxHeapMb);
  if (request.heap?.length === 0) throw new CayError('bad_heap', 'Expected `heap` to be a heap, got no bytes');
  return limits;
}

export function checkHeapMb(heapMb: number, maxHeapMb: number): void {
  if (heapMb <= maxHeapMb) return;
  throw new CayError('over_heap_limit', `A heap of ${heapMb} MB is above the limit of ${maxHeapMb} MB`);
}
