import assert from 'node:assert/strict';
import { after } from 'node:test';
import { Engine, type EngineOptions, type RunRequest } from '../../src/engine/engine.ts';
import type { Completed, Outcome } from '../../src/engine/outcome.ts';

/** An engine that is closed when the tests of the file are over. */
export function testEngine(options: EngineOptions = {}): Engine {
  const engine = new Engine({ size: 2, ...options });
  after(() => engine.close());
  return engine;
}

export function completed(outcome: Outcome): Completed {
  if (outcome.kind !== 'completed') assert.fail(`expected a completed run, got ${JSON.stringify(outcome)}`);
  return outcome;
}

/** The heap that a completed run left. */
export function heapOf(outcome: Outcome): Buffer {
  const { heap, heapError } = completed(outcome);
  assert.ok(heap, `expected a heap: ${heapError}`);
  return heap;
}

/** The text of a completed run's value, `undefined` for none. */
export function valueText(outcome: Outcome): string {
  const { value } = completed(outcome);
  return value.kind === 'undefined' ? 'undefined' : value.text;
}

/** A source, and the text that its value must have, as JSON or as console.log prints it. */
export type Step = readonly [source: string, expected: unknown];

/** Runs each source on the heap that the one before it left, and compares the values. Returns the last heap. */
export async function runSteps(
  engine: Engine,
  steps: readonly Step[],
  options: Partial<RunRequest> = {},
): Promise<Buffer> {
  let heap: Buffer | null = null;
  for (const [source, expected] of steps) {
    const outcome = await engine.run({ source, heap, ...options });
    const text = valueText(outcome);
    const wanted = expected === undefined ? 'undefined' : JSON.stringify(expected);
    assert.equal(text, wanted, `the value of ${source}`);
    heap = heapOf(outcome);
  }
  assert.ok(heap);
  return heap;
}
