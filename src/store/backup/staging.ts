import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CayError } from '../../errors.ts';
import { lockFolder } from '../sqlite/database.ts';

/** A folder of a backup's own, in the data folder so that files can be linked into it. */
export interface Staging {
  readonly folder: string;
  remove(): Promise<void>;
}

const prefix = '.backup-';
/** One that was just made is not locked yet. */
const youngMs = 60_000;

/** Also takes away what a backup that was killed has left. Its lock goes with the process, as that of the store does. */
export async function openStaging(data: string): Promise<Staging> {
  await removeLeftovers(data);
  const folder = join(data, `${prefix}${randomBytes(6).toString('hex')}`);
  await mkdir(folder, { mode: 0o700 });
  const lock = lockFolder(folder);
  for (const inner of ['heaps', 'artifacts']) await mkdir(join(folder, inner), { mode: 0o700 });
  return {
    folder,
    remove: async () => {
      lock.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function removeLeftovers(data: string): Promise<void> {
  for (const name of await readdir(data)) {
    const folder = join(data, name);
    if (name.startsWith(prefix) && (await isLeftover(folder))) await rm(folder, { recursive: true, force: true });
  }
}

async function isLeftover(folder: string): Promise<boolean> {
  try {
    if (Date.now() - (await stat(folder)).mtimeMs < youngMs) return false;
    lockFolder(folder).close();
    return true;
  } catch (error) {
    if (error instanceof CayError && error.code === 'folder_in_use') return false;
    throw error;
  }
}
