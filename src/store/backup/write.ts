import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { copyFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { CayError } from '../../errors.ts';
import { storeError } from '../sqlite/failures.ts';
import { type ArchivedFile, archive } from './archive.ts';
import { collect } from './collect.ts';
import { configName, databaseName, type Manifest, manifestText, parseManifest } from './manifest.ts';
import { openStaging } from './staging.ts';
import { syncFolder } from './sync.ts';
import { systemReason } from './system-reason.ts';

export interface BackupOptions {
  /** The data folder. A server may be using it. */
  readonly folder: string;
  /** Put into the backup if it is there. */
  readonly configFile: string;
  readonly file: string;
  /** Whether a file of that name may be replaced. */
  readonly replace: boolean;
  /** Of Cay. */
  readonly version: string;
  readonly signal: AbortSignal;
}

export interface Written extends Manifest {
  /** Of the file. */
  readonly file_bytes: number;
}

/** Saves all that is in a data folder to one file, which has its name only when it is whole and on disk. */
export async function writeBackup(options: BackupOptions): Promise<Written> {
  const { folder, file, replace, signal } = options;
  if (!replace && existsSync(file)) {
    throw new CayError('file_exists', `${file} is there already: choose another name, or replace it with --force`);
  }
  if (!existsSync(folder)) throw new CayError('no_data', `There is no data folder ${folder}`);
  try {
    const staging = await openStaging(folder);
    try {
      const { manifest, files } = await prepare(options, staging.folder);
      const file_bytes = await pack(manifestText(manifest), files, file, signal);
      return { ...manifest, file_bytes };
    } finally {
      await staging.remove();
    }
  } catch (error) {
    throw storeError(error);
  }
}

async function prepare({ folder, configFile, version, signal }: BackupOptions, staging: string) {
  const { contents, files, missing } = await collect(folder, staging, signal);
  const hasConfig = existsSync(configFile);
  if (hasConfig) await copyFile(configFile, join(staging, configName)); // someone may be editing it
  const archived: ArchivedFile[] = [];
  for (const name of [databaseName, ...(hasConfig ? [configName] : []), ...files]) {
    const path = join(staging, name);
    archived.push({ name, path, bytes: (await stat(path)).size });
  }
  const { files: _, ...counts } = contents;
  const text = manifestText({
    ...counts,
    cay: version,
    created_at: new Date().toISOString(),
    files: archived.length,
    bytes: archived.reduce((sum, { bytes }) => sum + bytes, 0),
    missing: [...missing],
  });
  return { manifest: parseManifest(text), files: archived };
}

/** How many bytes it has. */
async function pack(manifest: string, files: readonly ArchivedFile[], file: string, signal: AbortSignal) {
  const target = resolve(file);
  const beside = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}`);
  const params = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 };
  try {
    // `flush` syncs it before it is closed.
    const output = createWriteStream(beside, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(archive(manifest, files, Date.now()), createZstdCompress({ params }), output, { signal });
    await rename(beside, target);
    syncFolder(dirname(target));
    return output.bytesWritten;
  } catch (error) {
    await rm(beside, { force: true });
    const isOurs = error instanceof Error && 'path' in error && error.path === beside;
    if (!isOurs) throw error;
    throw new CayError('file_unwritable', `Cannot write ${file}: ${systemReason(error)}`, { cause: error });
  }
}
