import type { Command } from 'commander';
import { loadBuild } from '../engine/build.ts';
import { Engine } from '../engine/engine.ts';
import { heapFileTarget, readHeapFile, writeHeapFile } from '../heaps/heap-file.ts';
import { ExitCode, exitCodeOfSignal } from './exit-code.ts';
import { interruptible } from './interruption.ts';
import { heapOption, inputOption, type LimitFlags, limitOptions } from './options.ts';
import { failureText } from './outcome-text.ts';
import { readSource } from './source-file.ts';
import { print, printError } from './terminal.ts';

interface RunFlags extends LimitFlags {
  readonly heap?: string;
  readonly save?: string;
  readonly input?: unknown;
}

export function addRunCommand(program: Command): void {
  const command = program
    .command('run')
    .summary('run a file of JavaScript or TypeScript')
    .description(
      'Runs a file of JavaScript or TypeScript in a locked process. Its console goes to standard output as it comes, ' +
        'then its value: that of the last expression or of a top-level return, awaited.',
    )
    .argument('<file>', 'the file to run, - for standard input')
    .addOption(heapOption())
    .option('--save <file>', 'write the state that the code leaves to this heap file')
    .addOption(inputOption())
    .addHelpText(
      'after',
      '\nExit codes: 0 completed, 1 the code failed or its heap was not saved, 2 bad arguments or files, 130 Ctrl-C.',
    )
    .action(async (file: string, flags: RunFlags) => {
      process.exitCode = await run(file, flags);
    });
  for (const option of limitOptions()) command.addOption(option);
}

async function run(file: string, flags: RunFlags): Promise<number> {
  const { save } = flags;
  if (save !== undefined) await heapFileTarget(save);
  const build = loadBuild();
  const heap = flags.heap === undefined ? null : await readHeapFile(flags.heap, build);
  const source = await readSource(file);
  const engine = new Engine({ size: 1, spares: 0, maxHeapMb: flags.heapMemoryMax });
  try {
    const [outcome, interruptedBy] = await interruptible((signal) =>
      engine.run({
        source,
        heap,
        keepHeap: save !== undefined,
        timeoutMs: flags.timeout * 1000,
        heapMb: flags.heapMemoryMax,
        input: flags.input,
        onConsole: (bytes) => process.stdout.write(bytes),
        signal,
      }),
    );
    if (outcome.kind !== 'completed') {
      printError(failureText(outcome));
      return outcome.kind === 'cancelled' && interruptedBy ? exitCodeOfSignal(interruptedBy) : ExitCode.failed;
    }
    if (outcome.value.kind !== 'undefined') print(outcome.value.text);
    return save === undefined ? ExitCode.ok : await saveHeap(save, outcome.heap, outcome.heapError, engine);
  } finally {
    await engine.close();
  }
}

async function saveHeap(path: string, heap: Buffer | null, heapError: string | null, engine: Engine): Promise<number> {
  try {
    if (!heap) throw new Error(heapError ?? 'the engine made none');
    await writeHeapFile(path, heap, engine.build);
    return ExitCode.ok;
  } catch (error) {
    printError(`heap not saved: ${error instanceof Error ? error.message : String(error)}`);
    return ExitCode.failed;
  }
}
