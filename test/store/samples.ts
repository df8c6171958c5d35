import { randomUUID } from 'node:crypto';
import type { Ending, Execution, NewHeap, Store, Submission } from '../../src/store/types.ts';

export function submission(change: Partial<Submission> = {}): Submission {
  const plain = { code: '1 + 1', input: null, heap: null, session: null, tags: null, heapMb: 128, timeoutMs: 30_000 };
  return { id: randomUUID(), kind: 'run_js', ...plain, submittedAt: Date.now(), ...change };
}

export function ending(change: Partial<Ending> = {}): Ending {
  const plain = { result: '2', error: null, inputHeap: null, heapRestored: null, heap: null, heapError: null };
  return { status: 'completed', ...plain, completedAt: Date.now(), durationMs: 1.5, ...change };
}

export const newHeap = (raw: Uint8Array, fingerprint = 'f1'): NewHeap => ({
  raw: Uint8Array.from(raw),
  fingerprint,
  v8: '14.0',
});

/** Bytes that compress no better than a real heap; the same for the same seed. */
export function noise(size: number, seed: number): Uint8Array {
  const raw = new Uint8Array(size);
  let state = seed * 2654435761 + 1;
  for (let at = 0; at < size; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    raw[at] = state >>> 24;
  }
  return raw;
}

export function withByte(raw: Uint8Array, at: number, value: number): Uint8Array {
  const changed = Uint8Array.from(raw);
  changed[at] = value;
  return changed;
}

/** An execution that left `raw`, and its end. */
export async function leaveHeap(
  store: Store,
  raw: Uint8Array,
  change: { submission?: Partial<Submission>; ending?: Partial<Ending>; fingerprint?: string } = {},
): Promise<Execution & { outputHeap: string }> {
  const { id } = await store.executions.add(submission(change.submission), true);
  const ended = await store.executions.finish(id, ending({ heap: newHeap(raw, change.fingerprint), ...change.ending }));
  if (!ended?.outputHeap) throw new Error('the execution left no heap');
  return { ...ended, outputHeap: ended.outputHeap };
}
