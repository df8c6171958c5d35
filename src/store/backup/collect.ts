import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CayError } from '../../errors.ts';
import { databaseFile } from '../sqlite/database.ts';
import { linkFile, linkFolder } from './links.ts';
import { databaseName } from './manifest.ts';
import { type Contents, contentsOf, copyDatabase, stillKnown } from './snapshot.ts';

export interface Collected {
  readonly contents: Contents;
  /** Below the staging folder, beside the database. */
  readonly files: readonly string[];
  /** Gone from the data folder, though the database has them. */
  readonly missing: readonly string[];
}

const attempts = 5;

/**
 * Brings together in a staging folder what belongs together at one moment. A server that runs may take files away
 * meanwhile, after their rows: so first everything that is there is linked, then the moment is fixed, then what has been
 * written in between is linked. Only a file that came and went in between can be missed: then all is done again.
 */
export async function collect(data: string, staging: string, signal: AbortSignal): Promise<Collected> {
  if (!existsSync(databaseFile(data))) {
    throw new CayError('no_data', `There is nothing to back up in ${data}: no server has used it yet`);
  }
  const copy = join(staging, databaseName);
  for (let attempt = 1; ; attempt++) {
    for (const inner of ['heaps', 'artifacts']) await linkFolder(join(data, inner), join(staging, inner));
    signal.throwIfAborted();
    await copyDatabase(data, copy, signal);
    const contents = contentsOf(copy);
    const missing = await linkAll(data, staging, contents.files);
    const known = missing.length === 0 ? [] : stillKnown(data, missing);
    if (known.length === missing.length) return { contents, files: present(staging, contents, missing), missing };
    if (attempt === attempts) throw new CayError('data_changes', `Heaps go from ${data} faster than they can be saved`);
    await rm(copy);
  }
}

/** Those that are not there. */
async function linkAll(data: string, staging: string, files: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const file of files) {
    if (!existsSync(join(staging, file)) && !(await linkFile(join(data, file), join(staging, file))))
      missing.push(file);
  }
  return missing;
}

/** With the second copies of heaps that many others need. */
function present(staging: string, { files }: Contents, missing: readonly string[]): string[] {
  const gone = new Set(missing);
  return files.flatMap((file) => {
    const copy = `${file}.copy`;
    const hasCopy = dirname(file) === 'heaps' && existsSync(join(staging, copy));
    return [...(gone.has(file) ? [] : [file]), ...(hasCopy ? [copy] : [])];
  });
}
