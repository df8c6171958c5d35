import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Writes a file beside and renames it, so that nobody ever reads half of it. Its folder is made where there is none.
 * Without a mode it gets the usual one.
 */
export async function replaceFile(target: string, content: string | Uint8Array, mode?: number): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const beside = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
  try {
    const written = await open(beside, 'wx', mode);
    try {
      if (mode !== undefined) await written.chmod(mode); // the umask has had its say
      await written.writeFile(content);
      await written.sync();
    } finally {
      await written.close();
    }
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
