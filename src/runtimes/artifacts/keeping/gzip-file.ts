import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { writeAt } from './write-at.ts';

const compress = promisify(gzip);
const plainAfterFailure = 7;

/**
 * A file of gzip members, one for each block: together they are a gzip file as any other. Blocks are compressed by
 * Node's thread pool, at level 1: 270 MB/s and a sixth of the size for a log, level 6 has 100 MB/s and an eighth.
 */
export class GzipFile {
  readonly #path: string;
  #file: FileHandle | null = null;
  #size = 0;
  /** What does not compress costs five times as much: some blocks after such a one are stored as they are. */
  #plainBlocks = 0;

  constructor(path: string) {
    this.#path = path;
  }

  get size(): number {
    return this.#size;
  }

  async append(block: Uint8Array): Promise<void> {
    this.#file ??= await open(this.#beside, 'wx', 0o600);
    const member = await compress(block, { level: this.#plainBlocks > 0 ? 0 : 1 });
    if (this.#plainBlocks > 0) this.#plainBlocks--;
    else if (member.length >= block.length) this.#plainBlocks = plainAfterFailure;
    await writeAt(this.#file, member, null);
    this.#size += member.length;
  }

  /** Under its own name from now on. A file that nothing was appended to does not exist. */
  async finish(): Promise<void> {
    if (!this.#file) return;
    await this.#close();
    await rename(this.#beside, this.#path);
  }

  async remove(): Promise<void> {
    await this.#close();
    for (const path of [this.#beside, this.#path]) await rm(path, { force: true });
  }

  get #beside(): string {
    return `${this.#path}.part`;
  }

  async #close(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close();
  }
}
