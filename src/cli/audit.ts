import type { Command } from 'commander';
import type { ListFlags, VerifyFlags } from './audit/records.ts';
import { folderOptions } from './folder-options.ts';
import { remoteOptions } from './remote.ts';
import { wholeNumber } from './runtime/flags.ts';

export function addAuditCommand(program: Command): void {
  const audit = program
    .command('audit')
    .summary('see what jobs were run and refused, and prove it')
    .description(
      'The audit log of the governed runtimes: each record has the hash of the one before. Read from the data folder, ' +
        'also while a server writes it, or with --url from a server.',
    );
  const list = audit
    .command('list')
    .summary('show the records, newest first')
    .option('--limit <count>', 'how many, 1 to 1000 (default: 100)', wholeNumber)
    .option('--before <sequence>', 'only records with a smaller number', wholeNumber)
    .option('--json', 'print one JSON object instead of the table')
    .action(async (flags: ListFlags) => {
      const { listRecords } = await import('./audit/records.ts');
      await listRecords(flags);
    });
  const verify = audit
    .command('verify')
    .summary('check the chain: a changed, missing or reordered record is named')
    .option('--json', 'print one JSON object instead of the sentence')
    .addHelpText('after', '\nExit codes: 0 the chain is whole, 1 it is not.')
    .action(async (flags: VerifyFlags) => {
      const { verifyChain } = await import('./audit/records.ts');
      process.exitCode = await verifyChain(flags);
    });
  for (const command of [list, verify]) {
    for (const option of [...folderOptions(), ...remoteOptions()]) command.addOption(option);
  }
}
