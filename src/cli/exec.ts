import type { Command } from 'commander';
import type { ExecFlags } from './executions/exec.ts';
import { endHelp } from './help.ts';
import { wholeBetween } from './numbers.ts';
import { codeOption, inputOption } from './options.ts';
import { addServerOptions } from './remote.ts';
import { collect } from './runtime/flags.ts';

export function addExecCommand(program: Command): void {
  const command = program
    .command('exec')
    .summary('run code on a running server, and show its output as it comes')
    .description(
      'Runs JavaScript or TypeScript on a running server. Its console goes to standard output as it comes, then its ' +
        'value; the heap that it leaves stays on the server. Ctrl-C cancels it.',
    )
    .argument('[file]', 'the file to run, - for standard input (default: standard input, where it is no terminal)')
    .addOption(codeOption())
    .option(
      '--heap <heap>',
      'the state to go on from: a heap key, an execution id, or latest with --session (default: empty)',
    )
    .option('--session <session>', 'the session to log it in (default: none)')
    .addOption(inputOption())
    .option('--tag <key=value>', 'a tag for the heap that it leaves; may be repeated (default: none)', collect)
    .option(
      '--timeout <seconds>',
      "end it after so many seconds, 1 to 300 (default: the server's, 30)",
      wholeBetween(1, 300),
    )
    .option(
      '--memory <mb>',
      "end it when its heap grows beyond so many MB, 8 to 4096 (default: the server's, 128)",
      wholeBetween(8, 4096),
    )
    .option('--detach', 'print the id of the execution and do not wait for it')
    .option('--json', 'print one JSON object when it has ended, with its output')
    .action(async (file: string | undefined, flags: ExecFlags) => {
      const { exec } = await import('./executions/exec.ts'); // late: the other commands start faster without it
      process.exitCode = await exec(file, flags);
    });
  addServerOptions(command);
  endHelp(command, {
    exitCodes:
      '0 completed, 1 it failed, timed out, was cancelled, or no server was reached, 2 bad arguments, 130 Ctrl-C.',
    examples: [
      "cay exec --code '6 * 7'",
      'cay exec script.ts --session work --heap latest',
      'generate | cay exec --tag project=demo',
    ],
  });
}
