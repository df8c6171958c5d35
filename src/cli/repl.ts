import type { Command } from 'commander';
import { endHelp } from './help.ts';
import { heapOption, limitOptions } from './options.ts';
import type { ReplFlags } from './repl/start.ts';

export function addReplCommand(program: Command): void {
  const command = program
    .command('repl')
    .summary('evaluate JavaScript and TypeScript line by line')
    .description(
      'Evaluates what is typed, or what comes through a pipe, and prints the values. State stays from one input to ' +
        'the next; .save and .load keep it in heap files, .help lists the other commands.',
    )
    .addOption(heapOption())
    .option('--json', 'print one JSON object a line for each input, with its output')
    .action(async (flags: ReplFlags) => {
      const { startRepl } = await import('./repl/start.ts'); // late: the other commands start faster without it
      process.exitCode = await startRepl(flags);
    });
  for (const option of limitOptions()) command.addOption(option);
  endHelp(command, {
    exitCodes: '0 the input has ended, also when some of it failed, 2 bad arguments or files, 130 Ctrl-C in a pipe.',
  });
}
