import type { Command } from 'commander';
import { endHelp } from '../help.ts';
import { alwaysJson } from '../options.ts';
import { addServerOptions } from '../remote.ts';
import type { ExportFlags } from './exporting.ts';

export function addHeapsExport(heaps: Command): void {
  const command = heaps
    .command('export')
    .summary('write the variables of a heap as JSON, so that they outlive the engine')
    .description(
      'Writes the global variables that a heap holds as one JSON object to standard output. Those that JSON cannot hold ' +
        '(functions, classes, a Map) are left out, and named on standard error. A heap can only be continued by the ' +
        'engine version that made it; what was exported can be given to any. The heap is read from the data folder, ' +
        'also while a server uses it; with --url or CAY_URL it is asked of a server.',
    )
    .argument('<heap>', 'its key, at least 12 digits of it, the id of the execution that left it, or latest')
    .option('--session <session>', 'the session whose latest heap is meant (default: none)')
    .addOption(alwaysJson())
    .action(async (heap: string, flags: ExportFlags) => {
      const { exportHeap } = await import('./exporting.ts'); // late: the other commands start faster without it
      await exportHeap(heap, flags);
    });
  addServerOptions(command, 'Which heaps:');
  endHelp(command, {
    exitCodes: '0 exported, 1 no such heap, or it failed, 2 bad arguments, or a heap of another engine version.',
    examples: [
      'cay heaps export latest --session work > state.json',
      "cay exec --session work --input @state.json --code 'Object.assign(globalThis, input); Object.keys(input)'",
      "cay run --save state.heap --input @state.json --code 'Object.assign(globalThis, input); Object.keys(input)'",
    ],
  });
}
