import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CayError } from '../../errors.ts';
import { lockFolder } from '../sqlite/database.ts';
import { storeError } from '../sqlite/failures.ts';
import { text } from '../sqlite/rows.ts';
import { type Extracted, extract } from './extract.ts';
import { databaseName, type Manifest } from './manifest.ts';
import { mendRestore } from './mend.ts';
import { place } from './place.ts';
import { stagingPrefix } from './restore-names.ts';
import { contentsOf } from './snapshot.ts';
import { damaged } from './tar.ts';

export interface RestoreOptions {
  readonly file: string;
  /** The data folder, which is made if needed. No server may be using it. */
  readonly folder: string;
  /** What is in the folder is put aside. */
  readonly force: boolean;
  readonly signal: AbortSignal;
}

export interface Restored extends Manifest {
  /** The folder with what was there before; null when nothing was. */
  readonly put_aside: string | null;
}

/** Puts a backup into a data folder once all of it has been read and checked; until then nothing in the folder changes. */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { folder } = options;
  const existed = existsSync(folder);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await restoreLocked(options);
  } catch (error) {
    if (!existed) await rm(folder, { recursive: true, force: true });
    throw storeError(error);
  }
}

async function restoreLocked(options: RestoreOptions): Promise<Restored> {
  const { folder } = options;
  const lockFile = join(folder, 'lock');
  const hadLock = existsSync(lockFile);
  const lock = lockFolder(folder);
  let done = false;
  try {
    const restored = await restoreInto(options);
    done = true;
    return restored;
  } finally {
    lock.close();
    if (!done && !hadLock) await rm(lockFile, { force: true });
  }
}

async function restoreInto({ file, folder, force, signal }: RestoreOptions): Promise<Restored> {
  await mendRestore(folder);
  const isOccupied = (await readdir(folder)).some((name) => name !== 'lock');
  if (isOccupied && !force) {
    const message = `The folder ${folder} is not empty: choose another with --data-dir, or put what is in it aside with --force`;
    throw new CayError('folder_not_empty', message);
  }
  const staging = join(folder, `${stagingPrefix}${randomBytes(6).toString('hex')}`);
  await mkdir(staging, { mode: 0o700 });
  try {
    const extracted = await extract(file, staging, signal);
    checkDatabase(join(staging, databaseName), extracted);
    signal.throwIfAborted();
    const put_aside = await place(folder, staging, extracted.names);
    return { ...extracted.manifest, put_aside };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Its sums are those of its files; this is about whether they make a data folder. */
function checkDatabase(file: string, { manifest, names }: Extracted): void {
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      const found = text(database.prepare('PRAGMA quick_check(1)').get() ?? {}, 'quick_check');
      if (found !== 'ok') throw damaged(`its database is not whole: ${found}`);
    } finally {
      database.close();
    }
    const there = new Set([...names, ...manifest.missing]);
    const lost = contentsOf(file).files.find((name) => !there.has(name));
    if (lost !== undefined) throw damaged(`'${lost}' is missing`);
  } catch (error) {
    throw error instanceof CayError ? error : damaged('its database cannot be read', error);
  }
}
