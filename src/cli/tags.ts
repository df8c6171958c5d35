import type { Command } from 'commander';
import type { TagsFlags } from './heaps/tagging.ts';
import { endHelp } from './help.ts';
import { addServerOptions } from './remote.ts';

export function addTagsCommand(program: Command): void {
  const command = program
    .command('tags')
    .summary('show, set and delete the tags of a heap')
    .description(
      'Shows the tags of a heap on a running server, after setting and deleting those that were named; the other tags ' +
        'stay. `cay heaps` finds heaps by their tags, and a tagged heap is never cleaned up.',
    )
    .argument('<heap>', 'its key, at least 12 digits of it, or the id of the execution that left it')
    .argument('[key=value...]', 'tags to set, up to 64; keys and values of at most 256 characters')
    .option('--delete <keys>', 'tags to delete, with commas between')
    .option('--clear', 'delete all tags')
    .option('--json', 'print one JSON object: the heap and its tags')
    .action(async (heap: string, pairs: string[], flags: TagsFlags) => {
      const { tags } = await import('./heaps/tagging.ts');
      await tags(heap, pairs, flags);
    });
  addServerOptions(command);
  endHelp(command, { exitCodes: '0 done, 1 no such heap or no server, 2 bad arguments.' });
}
