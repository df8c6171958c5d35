import type { Command } from 'commander';
import type { DoctorFlags } from './doctor/report.ts';
import { folderOptions } from './folder-options.ts';
import { endHelp } from './help.ts';

export function addDoctorCommand(program: Command): void {
  const command = program
    .command('doctor')
    .summary('say what this machine has and what is missing')
    .description(
      'Says what this machine has, what is missing and what to do about it. The lock is really tried, from inside ' +
        'isolate processes.',
    )
    .option('--json', 'print one JSON object instead of the table')
    .action(async (flags: DoctorFlags) => {
      const { doctor } = await import('./doctor/report.ts'); // late: the other commands start faster without it
      process.exitCode = await doctor(flags);
    });
  for (const option of folderOptions()) command.addOption(option);
  endHelp(command, { exitCodes: '0 nothing fails, 1 something does, 2 bad arguments.' });
}
