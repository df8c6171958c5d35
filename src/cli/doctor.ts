import { styleText } from 'node:util';
import type { Command } from 'commander';
import { engineRows } from './doctor/engine-rows.ts';
import { lockRows } from './doctor/lock-rows.ts';
import { machineRows } from './doctor/machine-rows.ts';
import type { Row } from './doctor/row.ts';
import { storeRows } from './doctor/store-rows.ts';
import { ExitCode } from './exit-code.ts';
import { type FolderFlags, folderOptions } from './folder-options.ts';
import { print } from './terminal.ts';

export function addDoctorCommand(program: Command): void {
  const command = program
    .command('doctor')
    .summary('say what this machine has and what is missing')
    .description(
      'Says what this machine has, what is missing and what to do about it. The lock is really tried, from inside ' +
        'isolate processes.',
    )
    .option('--json', 'print one JSON object instead of the table')
    .addHelpText('after', '\nExit codes: 0 nothing fails, 1 something does.')
    .action(async (flags: DoctorFlags) => {
      process.exitCode = await doctor(flags);
    });
  for (const option of folderOptions()) command.addOption(option);
}

interface DoctorFlags extends FolderFlags {
  readonly json?: boolean;
}

async function doctor({ json = false, ...flags }: DoctorFlags): Promise<number> {
  const { runtimeRows } = await import('./doctor/runtime-rows.ts'); // late: the other commands start faster without it
  const rows = [
    ...machineRows(),
    ...(await storeRows(flags)),
    ...(await engineRows()),
    ...(await lockRows()),
    ...(await runtimeRows(flags)),
  ];
  const ok = rows.every((row) => row.status !== 'fail');
  print(json ? JSON.stringify({ ok, rows }, null, 2) : rows.map(lineOf).join('\n'));
  return ok ? ExitCode.ok : ExitCode.failed;
}

const colors = { ok: 'green', warn: 'yellow', fail: 'red' } as const;
const nameWidth = 26;

function lineOf({ name, status, detail, advice }: Row): string {
  const mark = styleText(colors[status], status.padEnd(4));
  const line = `${mark}  ${name.padEnd(nameWidth)}  ${detail}`;
  return advice === '' ? line : `${line}\n${' '.repeat(nameWidth + 8)}-> ${advice}`;
}
