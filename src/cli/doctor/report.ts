import { styleText } from 'node:util';
import { ExitCode } from '../exit-code.ts';
import type { FolderFlags } from '../folder-options.ts';
import { Progress } from '../progress.ts';
import { print, printJson } from '../terminal.ts';
import { hanging } from '../wrap.ts';
import { engineRows } from './engine-rows.ts';
import { lockRows } from './lock-rows.ts';
import { machineRows } from './machine-rows.ts';
import type { Row } from './row.ts';
import { runtimeRows } from './runtime-rows.ts';
import { storeRows } from './store-rows.ts';

export interface DoctorFlags extends FolderFlags {
  readonly json?: boolean;
}

/** Looks at everything and says what it found; returns the exit code. */
export async function doctor({ json = false, ...flags }: DoctorFlags): Promise<number> {
  const progress = new Progress('looking');
  const rows = [
    ...machineRows(),
    ...(await storeRows(flags)),
    ...(await engineRows()),
    ...(await lockRows()),
    ...(await runtimeRows(flags)),
  ];
  progress.end();
  const ok = rows.every((row) => row.status !== 'fail');
  if (json) printJson({ ok, rows });
  else print(rows.map(lineOf).join('\n'));
  return ok ? ExitCode.ok : ExitCode.failed;
}

const colors = { ok: 'green', warn: 'yellow', fail: 'red' } as const;
const nameWidth = 26;
const indent = nameWidth + 8;

function lineOf({ name, status, detail, advice }: Row): string {
  const mark = styleText(colors[status], status.padEnd(4));
  const line = `${mark}  ${name.padEnd(nameWidth)}  ${hanging(detail, indent)}`;
  return advice === '' ? line : `${line}\n${' '.repeat(indent)}-> ${hanging(advice, indent + 3)}`;
}
