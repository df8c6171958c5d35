import assert from 'node:assert/strict';
import type { Engine, RunRequest } from '../../../src/engine/engine.ts';
import { completed, valueText as textOfValue } from '../steps.ts';

export interface Printed {
  readonly text: string;
  /** The value's JSON, or its text. */
  readonly value: string;
}

/** Runs a source that must complete, and gathers what it prints. */
export async function printed(engine: Engine, source: string, options: Partial<RunRequest> = {}): Promise<Printed> {
  const pieces: Buffer[] = [];
  const outcome = await engine.run({ source, keepHeap: false, ...options, onConsole: (bytes) => pieces.push(bytes) });
  completed(outcome);
  return { text: Buffer.concat(pieces).toString(), value: textOfValue(outcome) };
}

/** The value of each expression, as JSON, in one run. */
export async function valuesOf(engine: Engine, expressions: readonly string[]): Promise<unknown[]> {
  const each = expressions.map((expression) => `await (async () => (${expression}))()`);
  const { value } = await printed(engine, `[${each.join(',\n')}]`);
  const values: unknown = JSON.parse(value);
  assert.ok(Array.isArray(values));
  return values;
}

/** Expressions, and what they must give. */
export async function assertValues(engine: Engine, table: Readonly<Record<string, unknown>>): Promise<void> {
  const expressions = Object.keys(table);
  const values = await valuesOf(engine, expressions);
  for (const [index, expression] of expressions.entries()) {
    assert.deepEqual(values[index], table[expression], `the value of ${expression}`);
  }
}
