import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFolder } from '../sqlite/database.ts';
import { storeError } from '../sqlite/failures.ts';
import { decidedName, stagingPrefix, wastePrefix } from './restore-names.ts';
import { finish, undo } from './restore-plan.ts';

/**
 * Brings a data folder in order in which a restore was cut off: it is taken back, or finished when it was decided. The
 * folder must be locked. What was done, for its owner; null when there was nothing to do.
 */
export async function mendRestore(folder: string): Promise<string | null> {
  const names = await readdir(folder);
  const staged = names.filter((name) => name.startsWith(stagingPrefix));
  for (const name of names) {
    if (name.startsWith(wastePrefix)) await rm(join(folder, name), { recursive: true, force: true });
  }
  for (const name of staged) await undo(folder, join(folder, name));
  if (names.includes(decidedName)) {
    await finish(folder);
    return `A restore to ${folder} was cut off, and has been finished: what the backup holds is there`;
  }
  return staged.length === 0 ? null : `A restore to ${folder} was cut off, and has been taken back: try it again`;
}

/** The same for one that nobody has locked. Throws `folder_in_use` when someone has. */
export async function mendUnlocked(folder: string): Promise<string | null> {
  try {
    const lock = lockFolder(folder);
    try {
      return await mendRestore(folder);
    } finally {
      lock.close();
    }
  } catch (error) {
    throw storeError(error);
  }
}
