import type { Engine, RunRequest } from '../../../src/engine/engine.ts';
import { PlainIsolate, type StepResult } from './plain-isolate.ts';
import { type Program, stepSource } from './program.ts';

export interface Mismatch {
  readonly step: number;
  /** In one plain isolate. */
  readonly plain: StepResult;
  /** Over snapshots. */
  readonly engine: StepResult;
}

/** Runs a program both ways, step by step, and gives the first difference. */
export async function compare(engine: Engine, program: Program): Promise<Mismatch | null> {
  const plainIsolate = new PlainIsolate();
  let heap: Buffer | null = null;
  for (const [step, statements] of program.steps.entries()) {
    const source = stepSource(statements);
    const plain = await plainIsolate.step(source);
    const { result, next } = await overSnapshot(engine, { source, heap, timeoutMs: 60_000 });
    if (plain.text !== result.text || plain.output !== result.output) return { step, plain, engine: result };
    if (!next) return null; // thrown in both: there is no heap to go on with
    heap = next;
  }
  return null;
}

/** Runs one step on a heap; `next` is the heap that it left, null when it did not. */
export async function overSnapshot(
  engine: Engine,
  request: RunRequest,
): Promise<{ readonly result: StepResult; readonly next: Buffer | null }> {
  let output = '';
  const onConsole = (bytes: Buffer): void => {
    output += bytes.toString();
  };
  const outcome = await engine.run({ ...request, onConsole });
  const ended = (text: string) => ({ result: { text, output }, next: null });
  if (outcome.kind === 'failed') return ended(`thrown ${outcome.error.name}: ${outcome.error.message}`);
  if (outcome.kind !== 'completed') return ended(JSON.stringify(outcome));
  if (!outcome.heap) return ended(`${outcome.heapError}`);
  const { kind, text } = outcome.value;
  const parsed: unknown = kind === 'json' ? JSON.parse(text) : text;
  return { result: { text: String(parsed), output }, next: outcome.heap };
}
