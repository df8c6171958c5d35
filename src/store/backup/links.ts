import { constants } from 'node:fs';
import { copyFile, link, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../sqlite/failures.ts';

/** The same file under another name: what happens to the first name does not touch the second. False when it is gone. */
export async function linkFile(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST') return true;
    if (code === 'ENOENT') return false;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'].includes(code)) throw error;
    return copied(from, to); // a file system without links
  }
}

/** Those of a folder that are there and stay; what is being written has a name of its own. */
export async function linkFolder(from: string, to: string): Promise<void> {
  for (const name of await namesIn(from)) {
    if (!name.endsWith('.part')) await linkFile(join(from, name), join(to, name));
  }
}

/** None when there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  });
}

async function copied(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}
