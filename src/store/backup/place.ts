import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CayError } from '../../errors.ts';
import { databaseFile } from '../sqlite/database.ts';
import { text } from '../sqlite/rows.ts';
import { linkFile, linkFolder, namesIn } from './links.ts';
import { configName, databaseName } from './manifest.ts';
import { decidedName } from './restore-names.ts';
import { asideName, finish, logNames, type Plan, undo, writePlan } from './restore-plan.ts';
import { syncFolder } from './sync.ts';

const folders = ['heaps', 'artifacts'];

/**
 * Puts restored files into a data folder that is locked. What is there is linked into the staging folder first; then the
 * new heaps and artifacts go beside the old ones, whose names are others. The moment in which the staging folder gets
 * another name is the moment of the restore: cut off before it, what was there is whole; cut off after it, whoever has
 * the folder next finishes. Returns where the old one is; null when there was none.
 */
export async function place(folder: string, staging: string, names: readonly string[]): Promise<string | null> {
  settle(folder);
  const before = await oldNames(folder);
  await putAside(folder, before, staging);
  const [old, kept] = [new Set(before), new Set(names)];
  const inFolders = (all: readonly string[], not: ReadonlySet<string>) =>
    all.filter((name) => name.includes('/') && !not.has(name));
  const plan: Plan = {
    added: inFolders(names, old),
    dropped: inFolders(before, kept),
    config: kept.has(configName),
    aside: before.length === 0 ? null : `before-restore-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`,
  };
  writePlan(staging, plan);
  try {
    for (const inner of folders) await mkdir(join(folder, inner), { recursive: true, mode: 0o700 });
    for (const name of names) if (name.includes('/')) await rename(join(staging, name), join(folder, name));
    for (const inner of folders) syncFolder(join(folder, inner));
    await rename(staging, join(folder, decidedName));
  } catch (error) {
    await undo(folder, staging);
    throw error;
  }
  syncFolder(folder);
  await finish(folder);
  return plan.aside === null ? null : join(folder, plan.aside);
}

/** Folds the log of the old database into it, and takes it away; not where that database cannot be read. */
function settle(folder: string): void {
  if (!existsSync(databaseFile(folder))) return;
  if (!isDatabase(databaseFile(folder))) return; // SQLite would take its log away
  const inUse = (cause?: unknown) => {
    const message = `Another process is reading the data folder ${folder}: wait until it has ended, and try again`;
    return new CayError('folder_in_use', message, { cause });
  };
  let mode = '';
  try {
    const database = new DatabaseSync(databaseFile(folder), { timeout: 2000 });
    try {
      mode = text(database.prepare('PRAGMA journal_mode = DELETE').get() ?? {}, 'journal_mode');
    } finally {
      database.close();
    }
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
    if (code === sqliteCode.busy) throw inUse(error);
    if (code === sqliteCode.corrupt || code === sqliteCode.notADatabase) return;
    throw error;
  }
  if (mode !== 'delete') throw inUse();
}

/** Looked at while nothing of this process has it open: closing it would drop that one's locks. */
function isDatabase(file: string): boolean {
  const begin = Buffer.alloc(magic.length);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, begin);
  } finally {
    closeSync(descriptor);
  }
  return begin.toString('latin1') === magic;
}

const magic = 'SQLite format 3\0';
const sqliteCode = { busy: 5, corrupt: 11, notADatabase: 26 } as const;

/** What there is of a data folder: what else is in the folder is not ours. */
async function oldNames(folder: string): Promise<string[]> {
  const top = [databaseName, ...logNames, configName].filter((name) => existsSync(join(folder, name)));
  const inner = await Promise.all(
    folders.map(async (each) => (await namesIn(join(folder, each))).map((name) => join(each, name))),
  );
  return [...top, ...inner.flat()];
}

async function putAside(folder: string, names: readonly string[], staging: string): Promise<void> {
  const aside = join(staging, asideName);
  await mkdir(aside, { mode: 0o700 });
  for (const inner of folders) {
    await mkdir(join(aside, inner), { mode: 0o700 });
    await linkFolder(join(folder, inner), join(aside, inner));
    syncFolder(join(aside, inner));
  }
  for (const name of names) if (!name.includes('/')) await linkFile(join(folder, name), join(aside, name));
  syncFolder(aside);
}
