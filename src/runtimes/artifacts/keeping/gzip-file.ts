import { renameSync, writeSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import { writeAt } from './write-at.ts';

const compress = promisify(gzip);
const plainAfterFailure = 7;
/** Compressed and written here, in 0.02 ms: a job's answer waits for it, and the thread pool takes ten times as long. */
const smallBlock = 16 * 1024;

/**
 * A file of gzip members, one for each block: together they are a gzip file as any other. Blocks are compressed by
 * Node's thread pool, at level 1: 270 MB/s and a sixth of the size for a log, level 6 has 100 MB/s and an eighth.
 */
export class GzipFile {
  readonly #path: string;
  #file: Promise<FileHandle> | null = null;
  #size = 0;
  /** What does not compress costs five times as much: some blocks after such a one are stored as they are. */
  #plainBlocks = 0;

  constructor(path: string) {
    this.#path = path;
  }

  get size(): number {
    return this.#size;
  }

  /** Something will be appended: the file is made meanwhile. */
  expect(): Promise<FileHandle> {
    this.#file ??= open(this.#beside, 'wx', 0o600);
    this.#file.catch(() => {}); // `append` rejects with it
    return this.#file;
  }

  async append(block: Uint8Array): Promise<void> {
    const file = this.expect();
    const options = { level: this.#plainBlocks > 0 ? 0 : 1 };
    const isSmall = block.length <= smallBlock;
    const member = isSmall ? gzipSync(block, options) : await compress(block, options);
    if (this.#plainBlocks > 0) this.#plainBlocks--;
    else if (member.length >= block.length) this.#plainBlocks = plainAfterFailure;
    const written = isSmall ? writeSync((await file).fd, member) : 0;
    await writeAt(await file, member.subarray(written), null);
    this.#size += member.length;
  }

  /** Under its own name from now on. A file that nothing was appended to does not exist. */
  async finish(): Promise<void> {
    if (!this.#file) return;
    await this.#close();
    renameSync(this.#beside, this.#path);
  }

  async remove(): Promise<void> {
    await this.#close();
    for (const path of [this.#beside, this.#path]) await rm(path, { force: true });
  }

  get #beside(): string {
    return `${this.#path}.part`;
  }

  async #close(): Promise<void> {
    const file = await this.#file?.catch(() => null);
    this.#file = null;
    await file?.close();
  }
}
