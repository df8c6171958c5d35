import type { Command } from 'commander';
import { executionIdArgument } from './executions/argument.ts';
import type { OutputFlags } from './executions/output.ts';
import { endHelp } from './help.ts';
import { addServerOptions } from './remote.ts';

export function addOutputCommand(program: Command): void {
  const command = program
    .command('output')
    .summary('print the console output of an execution, also while it runs')
    .description(
      'Prints the console output that an execution on a running server has made so far. With -f it goes on until the ' +
        'execution has ended; Ctrl-C stops that, and the execution goes on.',
    )
    .addArgument(executionIdArgument())
    .option('-f, --follow', "print what comes until it ends, and exit with the execution's outcome")
    .option('--json', 'print one JSON object; with -f one JSON object a line, as it comes, the last with the outcome')
    .action(async (id: string, flags: OutputFlags) => {
      const { output } = await import('./executions/output.ts');
      process.exitCode = await output(id, flags);
    });
  addServerOptions(command);
  endHelp(command, {
    exitCodes:
      '0 printed (-f: it completed), 1 no such execution or no server (-f: it failed, timed out or was cancelled), 2 bad arguments, 130 Ctrl-C.',
  });
}
