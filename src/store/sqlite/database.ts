import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CayError } from '../../errors.ts';

export const databaseFile = (folder: string) => join(folder, 'cay.db');
export const heapFolder = (folder: string) => join(folder, 'heaps');

/** The one connection that writes. */
export function openForWriting(folder: string): DatabaseSync {
  makePrivate(databaseFile(folder));
  const database = new DatabaseSync(databaseFile(folder), { timeout: 10_000 });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA cache_size = -8192; PRAGMA wal_autocheckpoint = 2000');
  return database;
}

export function openForReading(folder: string): DatabaseSync {
  const database = new DatabaseSync(databaseFile(folder), { readOnly: true, timeout: 10_000 });
  database.exec('PRAGMA cache_size = -4096');
  return database;
}

/**
 * Held as long as the store is open, by a lock of the operating system: it goes with the process, however that ends.
 * In a file of its own, for the database itself must stay open to our reading connections.
 */
export function lockFolder(folder: string): DatabaseSync {
  makePrivate(join(folder, 'lock'));
  const lock = new DatabaseSync(join(folder, 'lock'), { timeout: 0 });
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    const message = `Another Cay server uses the data folder ${folder}: stop it, or give this one its own with --data-dir`;
    throw new CayError('folder_in_use', message, { cause: error });
  }
  return lock;
}

/** Code, output and arguments are nobody else's, also in a folder that others may enter. SQLite's other files follow it. */
function makePrivate(file: string): void {
  // One that is there is not opened: closing it again would drop the locks that this process has on it.
  if (existsSync(file)) chmodSync(file, 0o600);
  else closeSync(openSync(file, 'a', 0o600));
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === 5
  );
}
