import { type FileHandle, open, rm } from 'node:fs/promises';
import { writeAt } from './write-at.ts';

/** The last `size` bytes of what is written, on disk: in memory they would be too many when many jobs run. */
export class TailRing {
  readonly #path: string;
  readonly #size: number;
  #file: FileHandle | null = null;
  #written = 0;

  constructor(path: string, size: number) {
    this.#path = path;
    this.#size = size;
  }

  get length(): number {
    return Math.min(this.#written, this.#size);
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#file ??= await open(this.#path, 'wx+', 0o600);
    const last = bytes.subarray(Math.max(0, bytes.length - this.#size));
    const at = (this.#written + bytes.length - last.length) % this.#size;
    const untilEnd = last.subarray(0, this.#size - at);
    await writeAt(this.#file, untilEnd, at);
    await writeAt(this.#file, last.subarray(untilEnd.length), 0);
    this.#written += bytes.length;
  }

  /** From the oldest byte on, in blocks of at most `blockBytes`, each of which is gone when the next is asked for. */
  async *read(blockBytes: number): AsyncGenerator<Uint8Array> {
    if (!this.#file) return;
    const block = Buffer.allocUnsafeSlow(blockBytes);
    const first = this.#written - this.length;
    for (let from = first; from < this.#written; ) {
      const at = from % this.#size;
      const wanted = Math.min(blockBytes, this.#written - from, this.#size - at);
      const { bytesRead } = await this.#file.read(block, 0, wanted, at);
      if (bytesRead === 0) throw new Error('the end of the output is gone');
      yield block.subarray(0, bytesRead);
      from += bytesRead;
    }
  }

  async remove(): Promise<void> {
    const file = this.#file;
    if (!file) return;
    this.#file = null;
    await file.close();
    await rm(this.#path, { force: true });
  }
}
