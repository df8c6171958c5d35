import type { Command } from 'commander';
import type { BackupFlags } from './backup/saving.ts';
import { folderOptions } from './folder-options.ts';
import { endHelp } from './help.ts';

export function addBackupCommand(program: Command): void {
  const command = program
    .command('backup')
    .summary('save everything that a server keeps to one file, also while it runs')
    .description(
      'Saves the data folder to one file: executions with their code and output, heaps, sessions, tags, artifacts, the ' +
        'audit log and the configuration. A server may be using it, and goes on: all that it had acknowledged when the ' +
        'backup began is in it. The file is readable for you alone: code, outputs and the tokens of the configuration ' +
        'are in it as they are. It is a tar, compressed by zstd, with the sums of all files in SHA256SUMS.',
    )
    .argument('<file>', 'the file to write, with .tar.zst at its end for instance')
    .option('--force', 'replace a file that is there')
    .option('--json', 'print one JSON object about what was saved')
    .action(async (file: string, flags: BackupFlags) => {
      const { save } = await import('./backup/saving.ts'); // late: the other commands start faster without it
      process.exitCode = await save(file, flags);
    });
  for (const option of folderOptions()) command.addOption(option);
  endHelp(command, {
    exitCodes: '0 saved, 1 failed, 2 bad arguments, or nothing to save, 130 Ctrl-C.',
    examples: ['cay backup cay.tar.zst', 'cay backup --force /backup/cay.tar.zst --data-dir /var/lib/cay'],
  });
}
