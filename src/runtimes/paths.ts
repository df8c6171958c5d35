import { readlinkSync, realpathSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { sep } from 'node:path';

/** Whether `path` is `folder` or below it. Both are absolute and without links. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The path without links, or null when there is nothing. */
export async function realPath(path: string): Promise<string | null> {
  return realpath(path).catch(() => null);
}

/** The same at once, for what is on the system's own disk: asking for an answer later takes twenty times as long. */
export function realPathNow(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Where an open descriptor leads, whatever its path is now. */
export function pathOf(descriptor: number): string {
  return readlinkSync(`/proc/self/fd/${descriptor}`);
}
