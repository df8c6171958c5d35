import type { Command } from 'commander';
import { addHeapsExport } from './heaps/export.ts';
import type { ListFlags, ShowFlags } from './heaps/listing.ts';
import { endHelp } from './help.ts';
import { addListing } from './listing.ts';
import { addServerOptions } from './remote.ts';
import { collect } from './runtime/flags.ts';

// What the commands do is imported when one of them is used: the others start faster without it.
export function addHeapsCommand(program: Command): void {
  const heaps = program
    .command('heaps')
    .summary('find the heaps that a running server keeps')
    .description(
      'Finds the heaps that a running server keeps: the states that executions have left. `cay heaps` alone lists ' +
        'those with tags; `cay tags` sets tags.',
    );
  addServerOptions(addList(heaps));
  addServerOptions(addShow(heaps));
  addHeapsExport(heaps);
}

function addList(heaps: Command): Command {
  const command = addListing(heaps, 'list the heaps that have tags, newest first', async (flags: ListFlags) => {
    const { listHeaps } = await import('./heaps/listing.ts');
    await listHeaps(flags);
  })
    .option('--tag <key=value>', 'only those with this tag; may be repeated (default: all with a tag)', collect)
    .option('--json', 'print the answer of the server');
  return endHelp(command, { exitCodes: '0 listed, 1 no server, 2 bad arguments.' });
}

function addShow(heaps: Command): Command {
  const command = heaps
    .command('show')
    .summary('show a heap: its size, engine, age and tags')
    .argument('<heap>', 'its key, at least 12 digits of it, or the id of the execution that left it')
    .option('--json', 'print the answer of the server')
    .action(async (heap: string, flags: ShowFlags) => {
      const { showHeap } = await import('./heaps/listing.ts');
      await showHeap(heap, flags);
    });
  return endHelp(command, { exitCodes: '0 shown, 1 no such heap or no server, 2 bad arguments.' });
}
