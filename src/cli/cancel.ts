import type { Command } from 'commander';
import { executionIdArgument } from './executions/argument.ts';
import { cancelExecution } from './executions/cancelling.ts';
import { endHelp } from './help.ts';
import { addServerOptions, type ServerFlags, serverOf } from './remote.ts';
import { printError, printJson } from './terminal.ts';

interface CancelFlags extends ServerFlags {
  readonly json?: boolean;
}

export function addCancelCommand(program: Command): void {
  const command = program
    .command('cancel')
    .summary('cancel an execution of a running server')
    .description('Cancels an execution of a running server, also one that waits. Its output stays.')
    .addArgument(executionIdArgument())
    .option('--json', 'print one JSON object instead of the sentence')
    .action(async (id: string, flags: CancelFlags) => {
      await cancelExecution(serverOf(flags), id);
      if (flags.json) printJson({ execution_id: id, ok: true });
      else printError(`Execution '${id}' is cancelled`);
    });
  addServerOptions(command);
  endHelp(command, { exitCodes: '0 cancelled, 1 it was not running, or no server, 2 bad arguments.' });
}
