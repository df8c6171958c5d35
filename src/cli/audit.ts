import type { Command } from 'commander';
import type { ListFlags, VerifyFlags } from './audit/records.ts';
import { endHelp } from './help.ts';
import { addListing } from './listing.ts';
import { wholeBetween } from './numbers.ts';
import { addServerOptions } from './remote.ts';

export function addAuditCommand(program: Command): void {
  const audit = program
    .command('audit')
    .summary('see what jobs were run and refused, and prove it')
    .description(
      'The audit log of the governed runtimes: each record has the hash of the one before. Read from the data folder, ' +
        'also while a server writes it; with --url or CAY_URL from a server. `cay audit` alone lists it.',
    );
  const list = addListing(audit, 'show the records, newest first', async (flags: ListFlags) => {
    const { listRecords } = await import('./audit/records.ts');
    await listRecords(flags);
  })
    .option('--limit <count>', 'how many, 1 to 1000 (default: 100)', wholeBetween(1, 1000))
    .option(
      '--before <sequence>',
      'only records with a smaller number (default: from the newest)',
      wholeBetween(1, Number.MAX_SAFE_INTEGER),
    )
    .option('--json', 'print one JSON object instead of the table');
  const verify = audit
    .command('verify')
    .summary('check the chain: a changed, missing or reordered record is named')
    .option('--json', 'print one JSON object instead of the sentence')
    .action(async (flags: VerifyFlags) => {
      const { verifyChain } = await import('./audit/records.ts');
      process.exitCode = await verifyChain(flags);
    });
  for (const command of [list, verify]) addServerOptions(command, 'Which log:');
  endHelp(list, { exitCodes: '0 listed, 1 the server was not reached, 2 bad arguments.' });
  endHelp(verify, { exitCodes: '0 the chain is whole, 1 it is not, 2 bad arguments.' });
}
