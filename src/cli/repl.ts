import type { Command } from 'commander';
import { loadBuild } from '../engine/build.ts';
import { Engine } from '../engine/engine.ts';
import { readHeapFile } from '../heaps/heap-file.ts';
import { manifest } from './manifest.ts';
import { heapOption, type LimitFlags, limitOptions } from './options.ts';
import { converse } from './repl/conversation.ts';
import { Lines } from './repl/lines.ts';
import { ReplSession } from './repl/session.ts';
import { print } from './terminal.ts';

interface ReplFlags extends LimitFlags {
  readonly heap?: string;
}

export function addReplCommand(program: Command): void {
  const command = program
    .command('repl')
    .summary('evaluate JavaScript and TypeScript line by line')
    .description(
      'Evaluates what is typed, or what comes through a pipe, and prints the values. State stays from one input to ' +
        'the next; .save and .load keep it in heap files, .help lists the other commands.',
    )
    .addOption(heapOption())
    .action(async (flags: ReplFlags) => {
      process.exitCode = await repl(flags);
    });
  for (const option of limitOptions()) command.addOption(option);
}

async function repl(flags: ReplFlags): Promise<number> {
  const heap = flags.heap === undefined ? null : await readHeapFile(flags.heap, loadBuild());
  const engine = new Engine({ size: 1, spares: 1, maxHeapMb: flags.heapMemoryMax });
  const session = new ReplSession(engine, { heapMb: flags.heapMemoryMax, timeoutMs: flags.timeout * 1000 }, heap);
  const lines = new Lines();
  try {
    if (lines.terminal) print(banner(engine));
    return await converse(session, lines);
  } finally {
    lines.close();
    await engine.close();
  }
}

function banner(engine: Engine): string {
  return (
    `Cay ${manifest.version} (V8 ${engine.build.jit.v8}${engine.jit ? '' : ', JIT off'})\n` +
    'State stays from one input to the next. .help lists the commands, Ctrl-D exits.'
  );
}
