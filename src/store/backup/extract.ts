import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, statfsSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { CayError } from '../../errors.ts';
import { systemCode } from '../sqlite/failures.ts';
import { schemaVersion } from '../sqlite/schema.ts';
import * as form from './manifest.ts';
import { newerSchema } from './snapshot.ts';
import { systemReason } from './system-reason.ts';
import { damaged, readTar, type TarEntry } from './tar.ts';

export interface Extracted {
  readonly manifest: form.Manifest;
  readonly names: readonly string[];
}

/** Of the line of a file in the sums. */
const maxLineBytes = 200;

/** Writes the files of a backup into a folder, on disk and with their sums, or throws. Nothing is written elsewhere. */
export async function extract(file: string, folder: string, signal: AbortSignal): Promise<Extracted> {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) throw unreadable(file, 'it is not a file');
  let extracted: Extracted | null = null;
  const unpack = createZstdDecompress();
  const take = async (bytes: AsyncIterable<Buffer>) => {
    extracted = await takeAll(readTar(bytes), folder);
  };
  try {
    await pipeline(createReadStream(file), unpack, take, { signal });
  } catch (error) {
    throw explained(error, file);
  }
  if (!extracted) throw damaged('it is empty');
  return extracted;
}

async function takeAll(entries: AsyncGenerator<TarEntry>, folder: string): Promise<Extracted> {
  const manifest = await takeManifest(entries, folder);
  const sums = new Map<string, string>();
  let bytes = 0;
  let expected: Map<string, string> | null = null;
  for await (const entry of entries) {
    if (expected) throw damaged('there are files after its sums');
    if (entry.name === form.sumsName) {
      expected = form.parseSums(await textOf(entry, sums.size * maxLineBytes));
      continue;
    }
    if (!form.isBackedUpName(entry.name) || sums.has(entry.name))
      throw damaged(`'${entry.name}' does not belong there`);
    bytes += entry.bytes;
    if (bytes > manifest.bytes)
      throw damaged(`its files are larger than the ${manifest.bytes} bytes that it speaks of`);
    sums.set(entry.name, await save(entry, join(folder, entry.name)));
  }
  if (!expected) throw damaged('it is cut off');
  const wrong = [...sums].find(([name, sum]) => expected?.get(name) !== sum);
  if (wrong) throw damaged(`'${wrong[0]}' does not have its sum`);
  if (expected.size !== sums.size || sums.size !== manifest.files) throw damaged('there are files missing');
  if (!sums.has(form.databaseName)) throw damaged('there is no database in it');
  return { manifest, names: [...sums.keys()] };
}

/** What can be refused is refused here, before anything is written. */
async function takeManifest(entries: AsyncGenerator<TarEntry>, folder: string): Promise<form.Manifest> {
  const first = await entries.next();
  if (first.done || first.value.name !== form.manifestName) throw notABackup();
  const manifest = form.parseManifest(await textOf(first.value, form.maxManifestBytes));
  if (manifest.schema_version > schemaVersion) throw newerSchema(manifest.schema_version);
  const { bavail, bsize } = statfsSync(folder);
  if (manifest.bytes > bavail * bsize) {
    const message = `The backup needs ${manifest.bytes} bytes, and there are ${bavail * bsize} on the disk of ${folder}`;
    throw new CayError('disk_full', message);
  }
  for (const inner of ['heaps', 'artifacts']) await mkdir(join(folder, inner), { recursive: true, mode: 0o700 });
  return manifest;
}

/** Its sum. */
async function save(entry: TarEntry, path: string): Promise<string> {
  const hash = createHash('sha256');
  const hashed = async function* () {
    for await (const piece of entry.body()) {
      hash.update(piece);
      yield piece;
    }
  };
  await pipeline(hashed, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
  return hash.digest('hex');
}

async function textOf(entry: TarEntry, maxBytes: number): Promise<string> {
  if (entry.bytes > maxBytes) throw damaged(`'${entry.name}' is too large`);
  const pieces: Buffer[] = [];
  for await (const piece of entry.body()) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

function unreadable(file: string, why: string, cause?: unknown): CayError {
  return new CayError('file_unreadable', `Cannot read ${file}: ${why}`, { cause });
}

function notABackup(cause?: unknown): CayError {
  return new CayError('not_a_backup', 'The file is not a backup of Cay', { cause });
}

function explained(error: unknown, file: string): unknown {
  const code = systemCode(error);
  if (error instanceof Error && 'path' in error && error.path === file) {
    return unreadable(file, systemReason(error), error);
  }
  // Of a file that was never compressed by us, or not to its end.
  if (code === 'Z_BUF_ERROR') return damaged('it is cut off', error);
  if (code === 'ZSTD_error_prefix_unknown') return notABackup(error);
  if (/^Z(STD)?_/i.test(code)) return damaged('it is not compressed as a backup is', error);
  return error;
}
