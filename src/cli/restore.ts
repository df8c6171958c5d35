import type { Command } from 'commander';
import type { RestoreFlags } from './backup/restoring.ts';
import { endHelp } from './help.ts';

export function addRestoreCommand(program: Command): void {
  const command = program
    .command('restore')
    .summary('put what a backup holds into a data folder')
    .description(
      'Puts what `cay backup` has saved into a data folder that no server is using. All of the file is read and checked ' +
        'first: of one that is cut off, damaged or no backup nothing is put in place. The configuration comes back as ' +
        'config.json of the data folder, and names programs that a server starts: restore what you have saved yourself.',
    )
    .argument('<file>', 'the file that `cay backup` has written')
    .option('--data-dir <folder>', 'the data folder, made if needed (default: as `cay serve` would)')
    .option('--force', 'put what is in that folder aside, into a folder in it')
    .option('--json', 'print one JSON object about what was restored')
    .action(async (file: string, flags: RestoreFlags) => {
      const { restore } = await import('./backup/restoring.ts'); // late: the other commands start faster without it
      process.exitCode = await restore(file, flags);
    });
  endHelp(command, {
    exitCodes:
      '0 restored, 1 failed, 2 bad arguments, a folder that is taken or a file that is no whole backup, 130 Ctrl-C.',
    examples: ['cay restore cay.tar.zst --data-dir /var/lib/cay', 'cay restore cay.tar.zst --force'],
  });
}
