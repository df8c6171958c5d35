import { CayError } from '../errors.ts';
import type { Placed } from './placed.ts';
import type { Settings } from './schema.ts';

/** What an execution gets when it asks for nothing, and the most that it may ask for. */
export interface Ceilings {
  readonly heap_memory_max: number;
  readonly heap_memory_limit: number;
  readonly execution_timeout: number;
  readonly execution_timeout_limit: number;
}

/** A ceiling that was set lowers a usual value; a value that was set lifts a usual ceiling; two that were set must fit. */
export function ceilings(given: Settings, placed: Placed): Ceilings {
  const heap = decide({ value: given.heap_memory_max, limit: given.heap_memory_limit }, { value: 128, limit: 512 });
  if (heap.value > heap.limit) throw above(placed('heap_memory_max'), heap, placed('heap_memory_limit'));
  const time = decide(
    { value: given.execution_timeout, limit: given.execution_timeout_limit },
    { value: 30, limit: 300 },
  );
  if (time.value > time.limit) throw above(placed('execution_timeout'), time, placed('execution_timeout_limit'));
  return {
    heap_memory_max: heap.value,
    heap_memory_limit: heap.limit,
    execution_timeout: time.value,
    execution_timeout_limit: time.limit,
  };
}

interface Bound<T> {
  readonly value: T;
  readonly limit: T;
}

function decide(given: Bound<number | undefined>, usual: Bound<number>): Bound<number> {
  const value = given.value ?? Math.min(usual.value, given.limit ?? usual.value);
  return { value, limit: given.limit ?? Math.max(usual.limit, value) };
}

function above(name: string, { value, limit }: Bound<number>, ceiling: string): CayError {
  return new CayError('invalid_config', `${name}: ${value} is above ${ceiling}, which is ${limit}`);
}
