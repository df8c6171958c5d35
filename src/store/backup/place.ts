import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CayError } from '../../errors.ts';
import { databaseFile } from '../sqlite/database.ts';
import { text } from '../sqlite/rows.ts';
import { linkFile, linkFolder, namesIn } from './links.ts';
import { configName, databaseName } from './manifest.ts';
import { syncFolder } from './sync.ts';

const folders = ['heaps', 'artifacts'];
const logNames = ['-wal', '-shm'].map((end) => `${databaseName}${end}`);

/**
 * Puts restored files into a data folder that is locked. What is there is linked into a folder of its own first; then
 * the new heaps and artifacts go beside the old ones, whose names are others; the moment in which the database takes the
 * place of the old one is the moment of the restore. Whenever it is cut off, one of the two states is whole.
 * Returns where the old one is; null when there was none.
 */
export async function place(folder: string, staging: string, names: readonly string[]): Promise<string | null> {
  const settled = settle(folder);
  const before = await oldNames(folder);
  const aside = before.length === 0 ? null : await putAside(folder, before);
  const old = new Set(before);
  const added = names.filter((name) => name.includes('/') && !old.has(name));
  try {
    for (const inner of folders) await mkdir(join(folder, inner), { recursive: true, mode: 0o700 });
    for (const name of names) if (name.includes('/')) await rename(join(staging, name), join(folder, name));
    for (const inner of folders) syncFolder(join(folder, inner));
    // A log that is not this database's would be taken for its own.
    if (!settled) for (const name of logNames) await rm(join(folder, name), { force: true });
    await rename(join(staging, databaseName), databaseFile(folder));
  } catch (error) {
    for (const name of added) await rm(join(folder, name), { force: true });
    if (aside !== null) await rm(aside, { recursive: true, force: true });
    throw error;
  }
  syncFolder(folder);
  if (names.includes(configName)) await rename(join(staging, configName), join(folder, configName));
  else await rm(join(folder, configName), { force: true });
  const kept = new Set(names);
  for (const name of before) if (name.includes('/') && !kept.has(name)) await rm(join(folder, name), { force: true });
  syncFolder(folder);
  return aside;
}

/** Folds the log of the old database into it, and takes it away. False when that database cannot be read. */
function settle(folder: string): boolean {
  if (!existsSync(databaseFile(folder))) return true;
  if (!isDatabase(databaseFile(folder))) return false; // SQLite would take its log away
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
    if (code === sqliteCode.corrupt || code === sqliteCode.notADatabase) return false;
    throw error;
  }
  if (mode !== 'delete') throw inUse();
  return true;
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

async function putAside(folder: string, names: readonly string[]): Promise<string> {
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const aside = join(folder, `before-restore-${stamp}`);
  await mkdir(aside, { mode: 0o700 });
  for (const inner of folders) {
    await mkdir(join(aside, inner), { mode: 0o700 });
    await linkFolder(join(folder, inner), join(aside, inner));
    syncFolder(join(aside, inner));
  }
  for (const name of names) if (!name.includes('/')) await linkFile(join(folder, name), join(aside, name));
  syncFolder(aside);
  return aside;
}
