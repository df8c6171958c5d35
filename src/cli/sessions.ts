import type { Command } from 'commander';
import { endHelp } from './help.ts';
import { wholeBetween } from './numbers.ts';
import { addServerOptions } from './remote.ts';
import type { SessionsFlags } from './sessions/listing.ts';

export function addSessionsCommand(program: Command): void {
  const command = program
    .command('sessions')
    .summary('list the sessions of a running server, or the history of one')
    .description(
      'Lists the sessions of a running server. With a name, the history of that one, oldest first: for each execution ' +
        'the heap that it began with, the heap that it left, and its code.',
    )
    .argument('[session]', 'the name of a session')
    .option(
      '--limit <count>',
      'of a history: how many entries, 1 to 10000 (default: the newest 20)',
      wholeBetween(1, 10_000),
    )
    .option(
      '--offset <number>',
      'of a history: the number of the first entry, from 0 (default: so that the newest are shown)',
      wholeBetween(0, Number.MAX_SAFE_INTEGER),
    )
    .option('--json', 'print the answer of the server, with the whole code')
    .action(async (name: string | undefined, flags: SessionsFlags) => {
      const { listSessions, showSession } = await import('./sessions/listing.ts');
      await (name === undefined ? listSessions(flags) : showSession(name, flags));
    });
  addServerOptions(command);
  endHelp(command, { exitCodes: '0 shown, 1 no such session or no server, 2 bad arguments.' });
}
