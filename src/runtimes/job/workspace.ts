import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openPlaces, type Places } from '../jail/places.ts';
import { removeTree } from '../remove-tree.ts';

/** The folder of a job without a jail, in the server's data and never in a repository. A jail has all of it in memory. */
export interface Workspace {
  readonly places: Places;
  remove(): Promise<void>;
}

export const newJobId = (): string => `job-${randomBytes(8).toString('hex')}`;

/** With the code, and the folders that the job may write. */
export async function makeWorkspace(
  root: string,
  jobId: string,
  source: { readonly file: string; readonly code: string } | null,
): Promise<Workspace> {
  const folder = join(root, jobId);
  const places = openPlaces(folder);
  for (const path of Object.values(places)) await mkdir(path, { recursive: true });
  if (source) await writeFile(join(places.code, source.file), source.code);
  // What cannot be removed now is tried again when the server starts; the job has its answer all the same.
  return { places, remove: () => removeTree(folder).catch(() => {}) };
}
