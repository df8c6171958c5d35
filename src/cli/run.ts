import type { Command } from 'commander';
import { endHelp } from './help.ts';
import { codeOption, heapOption, inputOption, limitOptions } from './options.ts';
import type { RunFlags } from './running.ts';

export function addRunCommand(program: Command): void {
  const command = program
    .command('run')
    .summary('run a file of JavaScript or TypeScript')
    .description(
      'Runs a file of JavaScript or TypeScript in a locked process of its own; no server is needed. Its console goes to ' +
        'standard output as it comes, then its value: that of the last expression or of a top-level return, awaited.',
    )
    .argument('[file]', 'the file to run, - for standard input (default: standard input, where it is no terminal)')
    .addOption(codeOption())
    .addOption(heapOption())
    .option('--save <file>', 'write the state that the code leaves to this heap file (default: it is not kept)')
    .addOption(inputOption())
    .option('--json', 'print one JSON object when it has ended, with its output')
    .action(async (file: string | undefined, flags: RunFlags) => {
      const { run } = await import('./running.ts'); // late: the other commands start faster without it
      process.exitCode = await run(file, flags);
    });
  for (const option of limitOptions()) command.addOption(option);
  endHelp(command, {
    exitCodes: '0 completed, 1 the code failed or its heap was not saved, 2 bad arguments or files, 130 Ctrl-C.',
    examples: ['cay run script.ts --save state.heap', "cay run --heap state.heap --code 'Object.keys(globalThis)'"],
  });
}
