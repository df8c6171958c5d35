import { z } from 'zod';
import { loadConfig } from '../../config/load.ts';
import { openAuditLog } from '../../runtimes/audit/log.ts';
import type { Audit } from '../../runtimes/audit/types.ts';
import { parseArguments } from '../../server/arguments.ts';
import { auditOperation, auditPage, verifyOperation } from '../../server/tools/audit.ts';
import { ExitCode } from '../exit-code.ts';
import { folderSources } from '../folder-options.ts';
import { namedServer } from '../remote.ts';
import { type DoorFlags, type RuntimeDoor, remoteDoor } from '../runtime/door.ts';
import { present } from '../runtime/flags.ts';
import { type Colored, columnHeads, table } from '../table.ts';
import { onTerminal, print, printError, printJson } from '../terminal.ts';
import { timeText } from '../times.ts';

export interface VerifyFlags extends DoorFlags {
  readonly json?: boolean;
}

export interface ListFlags extends VerifyFlags {
  readonly limit?: number;
  readonly before?: number;
}

export async function listRecords({ limit, before, json = false, ...flags }: ListFlags): Promise<void> {
  const asked = present({ limit, before });
  const answer = await withAudit(flags, {
    local: (audit) => auditPage(audit, parseArguments(auditOperation, asked)),
    remote: (door) => door.call(auditOperation, asked, new AbortController().signal),
  });
  if (json) printJson(answer);
  else if (answer.records.length === 0) printError('No record: nothing was run or refused.');
  else show(answer);
}

/** Returns the exit code. */
export async function verifyChain({ json = false, ...flags }: VerifyFlags): Promise<number> {
  const verdict = await withAudit<Verdict>(flags, {
    local: (audit) => audit.verify(),
    remote: (door) => door.call(verifyOperation, {}, new AbortController().signal),
  });
  const last = verdict.records === 0 ? '' : `, the last with the hash ${verdict.head}`;
  const whole = `The chain is whole: ${verdict.records} records${last}`;
  if (json) printJson(verdict);
  else print(verdict.ok ? whole : broken(verdict));
  return verdict.ok ? ExitCode.ok : ExitCode.failed;
}

type Verdict = z.output<typeof verifyOperation.output>;

function broken({ fault, message }: Verdict): string {
  return `The chain is broken (${fault}): ${message}`;
}

interface Ways<T> {
  readonly local: (audit: Pick<Audit, 'list' | 'verify'>) => Promise<T>;
  readonly remote: (door: RuntimeDoor) => Promise<T>;
}

/** The log in the data folder, which is read also while a server writes it; or that of the server that was named. */
async function withAudit<T>(flags: DoorFlags, { local, remote }: Ways<T>): Promise<T> {
  const named = namedServer(flags);
  if (named) return remote(remoteDoor(named));
  const { data_dir: folder } = loadConfig(folderSources(flags));
  const log = openAuditLog(folder);
  try {
    return await local(log);
  } finally {
    log.close();
  }
}

type Page = z.output<typeof auditOperation.output>;

function show({ records, next_before }: Page): void {
  print(table(head, records.map(rowOf)));
  if (next_before !== null) printError(`More: --before ${next_before}`);
}

const head = columnHeads('#', 'time', 'record', '~job', 'hash', '~what');
const colors: Readonly<Record<string, Colored['color']>> = { start: 'cyan', end: 'green', refused: 'red' };

/** What is shown of the details of a record. */
const detailsShown = z.object({
  repoId: z.string().nullish(),
  request: z.object({ runtime: z.string().nullish() }).optional(),
  status: z.string().optional(),
  exitCode: z.number().nullish(),
  signal: z.string().nullish(),
  reasons: z.array(z.string()).default([]),
  decision: z.object({ denials: z.array(z.object({ reason: z.string() })).default([]) }).optional(),
});

function rowOf({ sequence, at, kind, job, details, hash }: Page['records'][number]) {
  const shown = detailsShown.safeParse(details).data;
  const reasons = [...(shown?.reasons ?? []), ...(shown?.decision?.denials ?? []).map(({ reason }) => reason)];
  const words = [shown?.repoId, shown?.request?.runtime, shown?.status, shown?.exitCode, shown?.signal, ...reasons];
  const given = words.filter((word) => word !== undefined && word !== null);
  const cell = { text: kind, color: colors[kind] ?? 'dim' };
  return [String(sequence), timeText(at), cell, job, hash.slice(0, onTerminal() ? 8 : 16), given.join(' ')];
}
