import { loadBuild } from '../engine/build.ts';
import { Engine } from '../engine/engine.ts';
import type { Completed, Outcome } from '../engine/outcome.ts';
import { heapFileTarget, readHeapFile, writeHeapFile } from '../heaps/heap-file.ts';
import { ExitCode, exitCodeOfSignal } from './exit-code.ts';
import { interruptible } from './interruption.ts';
import type { LimitFlags } from './options.ts';
import { failureText, outcomeView } from './outcome-text.ts';
import { sourceOf } from './source-file.ts';
import { print, printError, printJson } from './terminal.ts';

export interface RunFlags extends LimitFlags {
  readonly code?: string;
  readonly heap?: string;
  readonly save?: string;
  readonly input?: unknown;
  readonly json?: boolean;
}

/** Runs code in a process of its own; returns the exit code. */
export async function run(file: string | undefined, flags: RunFlags): Promise<number> {
  const { save, json = false } = flags;
  if (save !== undefined) await heapFileTarget(save);
  const build = loadBuild();
  const heap = flags.heap === undefined ? null : await readHeapFile(flags.heap, build);
  const source = await sourceOf(file, flags.code);
  const engine = new Engine({ size: 1, spares: 0, maxHeapMb: flags.heapMemoryMax });
  const kept: Buffer[] = [];
  try {
    const [outcome, interruptedBy] = await interruptible((signal) =>
      engine.run({
        source,
        heap,
        keepHeap: save !== undefined,
        timeoutMs: flags.timeout * 1000,
        heapMb: flags.heapMemoryMax,
        input: flags.input,
        onConsole: (bytes) => (json ? kept.push(bytes) : process.stdout.write(bytes)),
        signal,
      }),
    );
    if (json) printJson(outcomeView(outcome, kept));
    else printOutcome(outcome);
    if (outcome.kind === 'cancelled' && interruptedBy) return exitCodeOfSignal(interruptedBy);
    if (outcome.kind !== 'completed') return ExitCode.failed;
    return save === undefined ? ExitCode.ok : await saveHeap(save, outcome, engine);
  } finally {
    await engine.close();
  }
}

function printOutcome(outcome: Outcome): void {
  if (outcome.kind !== 'completed') printError(failureText(outcome));
  else if (outcome.value.kind !== 'undefined') print(outcome.value.text);
}

async function saveHeap(path: string, { heap, heapError }: Completed, engine: Engine): Promise<number> {
  try {
    if (!heap) throw new Error(heapError ?? 'the engine made none');
    await writeHeapFile(path, heap, engine.build);
    return ExitCode.ok;
  } catch (error) {
    printError(`heap not saved: ${error instanceof Error ? error.message : String(error)}`);
    return ExitCode.failed;
  }
}
