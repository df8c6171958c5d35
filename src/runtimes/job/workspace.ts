import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openPlaces } from '../jail/places.ts';

/** A job's own folder, in the server's data and never in a repository. */
export interface Workspace {
  readonly jobId: string;
  readonly folder: string;
  remove(): Promise<void>;
}

export const newJobId = (): string => `job-${randomBytes(8).toString('hex')}`;

/** With the code in it, and, where no jail gives them, the folders that the job may write. */
export async function makeWorkspace(
  root: string,
  jobId: string,
  source: { readonly file: string; readonly code: string } | null,
  jailed: boolean,
): Promise<Workspace> {
  const folder = join(root, jobId);
  const places = openPlaces(folder);
  if (source) {
    const file = join(places.code, source.file);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, source.code);
  }
  if (!jailed) {
    for (const path of [places.build, places.home, places.temporary]) await mkdir(path, { recursive: true });
  }
  return { jobId, folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }) };
}
