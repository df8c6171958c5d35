import { type Command, Option } from 'commander';
import { status } from '../server/tools/fields.ts';
import { executionIdArgument } from './executions/argument.ts';
import type { ListFlags } from './executions/listing.ts';
import { endHelp } from './help.ts';
import { wholeBetween } from './numbers.ts';
import { addServerOptions } from './remote.ts';

export function addExecutionsCommand(program: Command): void {
  const command = program
    .command('executions')
    .summary('list the executions of a running server, or show one')
    .description('Lists the executions of a running server, newest first; with an id, shows that one.')
    .addArgument(executionIdArgument('[execution-id]'))
    .addOption(new Option('--status <status>', 'only those with this status (default: any)').choices(status.options))
    .option('--limit <count>', 'how many, 1 to 1000 (default: 20)', wholeBetween(1, 1000))
    .option('--cursor <cursor>', 'go on where a list ended, with what it said (default: from the newest)')
    .option('--json', 'print the answer of the server')
    .action(async (id: string | undefined, flags: ListFlags) => {
      const { listExecutions, showExecution } = await import('./executions/listing.ts');
      await (id === undefined ? listExecutions(flags) : showExecution(id, flags));
    });
  addServerOptions(command);
  endHelp(command, { exitCodes: '0 shown, 1 no such execution or no server, 2 bad arguments.' });
}
