import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openPlaces } from '../jail/places.ts';
import { removeTree } from '../remove-tree.ts';

/** A job's own folder, in the server's data and never in a repository. */
export interface Workspace {
  readonly jobId: string;
  readonly folder: string;
  remove(): Promise<void>;
}

export const newJobId = (): string => `job-${randomBytes(8).toString('hex')}`;

/** Without a jail, with the code and the folders that the job may write in it. A jail has them in memory. */
export async function makeWorkspace(
  root: string,
  jobId: string,
  source: { readonly file: string; readonly code: string } | null,
  jailed: boolean,
): Promise<Workspace> {
  const folder = join(root, jobId);
  if (jailed) return { jobId, folder, remove: async () => {} };
  const places = openPlaces(folder);
  if (source) {
    const file = join(places.code, source.file);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, source.code);
  }
  for (const path of [places.build, places.home, places.temporary]) await mkdir(path, { recursive: true });
  // What cannot be removed now is tried again when the server starts; the job has its answer all the same.
  return { jobId, folder, remove: () => removeTree(folder).catch(() => {}) };
}
