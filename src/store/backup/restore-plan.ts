import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CayError } from '../../errors.ts';
import { databaseFile } from '../sqlite/database.ts';
import { configName, databaseName } from './manifest.ts';
import { decidedName, wastePrefix } from './restore-names.ts';
import { syncFolder } from './sync.ts';

/** What a restore does to a data folder. It is in the staging folder before any of it is done, for whoever must go on. */
const planSchema = z.object({
  /** Of heaps and artifacts: the names that are new. */
  added: z.array(z.string()),
  /** The ones that go. */
  dropped: z.array(z.string()),
  /** Whether there is one in the backup. */
  config: z.boolean(),
  /** Where what was there before is put; null when nothing was. */
  aside: z.string().nullable(),
});

export type Plan = z.output<typeof planSchema>;

/** In the staging folder: what was there before. */
export const asideName = 'before';
export const logNames = ['-wal', '-shm'].map((end) => `${databaseName}${end}`);

const planName = 'plan.json';

export function writePlan(staging: string, plan: Plan): void {
  writeFileSync(join(staging, planName), JSON.stringify(plan), { mode: 0o600, flush: true });
  syncFolder(staging);
}

/** Takes back a restore that was not decided. Until its plan is whole, nothing was put outside of its staging folder. */
export async function undo(folder: string, staging: string): Promise<void> {
  for (const name of readPlan(staging)?.added ?? []) await rm(join(folder, name), { force: true });
  await rm(staging, { recursive: true, force: true });
}

/** Does what is left of a restore that was decided. Any step may have been done already, by a process that was killed. */
export async function finish(folder: string): Promise<void> {
  const decided = join(folder, decidedName);
  const plan = readPlan(decided);
  if (plan === null)
    throw new CayError(
      'backup_damaged',
      `A restore was cut off, and ${decided} has no ${planName} to go on with: remove that folder, and restore again`,
    );
  if (existsSync(join(decided, databaseName))) {
    // A log that is not this database's would be taken for its own.
    for (const name of logNames) await rm(join(folder, name), { force: true });
    await rename(join(decided, databaseName), databaseFile(folder));
  }
  await placeConfig(folder, decided, plan);
  for (const name of plan.dropped) await rm(join(folder, name), { force: true });
  if (plan.aside !== null) await renameIfThere(join(decided, asideName), join(folder, plan.aside));
  syncFolder(folder);
  const waste = join(folder, `${wastePrefix}${randomBytes(6).toString('hex')}`);
  await rename(decided, waste);
  await rm(waste, { recursive: true, force: true });
}

/** Not removed where there is none in the backup, but moved: one that is there after that is its owner's new one. */
async function placeConfig(folder: string, decided: string, plan: Plan): Promise<void> {
  const [current, old] = [join(folder, configName), join(decided, 'config-before.json')];
  if (plan.config) await renameIfThere(join(decided, configName), current);
  else if (!existsSync(old)) await renameIfThere(current, old);
}

async function renameIfThere(from: string, to: string): Promise<void> {
  if (existsSync(from)) await rename(from, to);
}

function readPlan(staging: string): Plan | null {
  try {
    return planSchema.parse(JSON.parse(readFileSync(join(staging, planName), 'utf8')));
  } catch {
    return null; // the restore was cut off before it, or while it was written
  }
}
