import { closeSync, fsyncSync, openSync } from 'node:fs';

/** After this the names in a folder are on disk. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
