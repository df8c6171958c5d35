import { createHash } from 'node:crypto';
import { GzipFile } from './gzip-file.ts';
import { countNewlines } from './newlines.ts';
import { TailRing } from './tail-ring.ts';

const blockBytes = 256 * 1024;
/** What is left to compress when the job has ended, for which its answer waits: 60 ms for a log. */
const largestTail = 16 * 2 ** 20;

/** What was kept: the first `headBytes` and the last `tailBytes`. */
export interface Kept {
  readonly headBytes: number;
  /** 0 when nothing is missing. */
  readonly tailBytes: number;
  readonly tailNewlines: number;
  readonly storedBytes: number;
  readonly sha256: string;
}

/**
 * One stream of a job on its way to the disk, in blocks. One block fills up while the one before is compressed and
 * written. What it cannot keep it drops, and `finish` rejects.
 */
export class KeptStream {
  readonly #headLimit: number;
  readonly #file: GzipFile;
  readonly #tail: TailRing;
  readonly #hash = createHash('sha256');
  #taken = 0;
  #block: Buffer | null = null;
  #filled = 0;
  #spare: Buffer | null = null;
  #writing: Promise<void> = Promise.resolve();
  #failure: { readonly cause: unknown } | null = null;

  constructor(path: string, maxBytes: number) {
    const tailLimit = Math.min(Math.ceil(maxBytes / 2), largestTail);
    this.#headLimit = maxBytes - tailLimit;
    this.#file = new GzipFile(path);
    this.#tail = new TailRing(`${path}.tail.part`, tailLimit);
  }

  /** The bytes are copied. Null when there was room for them, else resolves when there is room for more. */
  write(bytes: Uint8Array): Promise<void> | null {
    if (this.#failure) return null;
    const taken = this.#fill(bytes);
    return taken < bytes.length ? this.#writeRest(bytes.subarray(taken)) : null;
  }

  async finish(): Promise<Kept> {
    await this.#flush();
    await this.#writing;
    if (this.#failure) throw this.#failure.cause;
    const headBytes = Math.min(this.#taken, this.#headLimit);
    const tailBytes = this.#tail.length;
    const tailNewlines = await this.#appendTail();
    await this.#file.finish();
    const complete = headBytes + tailBytes === this.#taken;
    return {
      headBytes: complete ? this.#taken : headBytes,
      tailBytes: complete ? 0 : tailBytes,
      tailNewlines: complete ? 0 : tailNewlines,
      storedBytes: this.#file.size,
      sha256: this.#hash.digest('hex'),
    };
  }

  async remove(): Promise<void> {
    await this.#writing;
    await this.#tail.remove();
    await this.#file.remove();
  }

  async #writeRest(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; at += this.#fill(bytes.subarray(at))) await this.#flush();
  }

  /** Where the block begins that is being filled. It is all head or all tail. */
  get #start(): number {
    return this.#taken - this.#filled;
  }

  get #isHead(): boolean {
    return this.#start < this.#headLimit;
  }

  /** How many bytes there was room for. */
  #fill(bytes: Uint8Array): number {
    this.#block ??= this.#spare ?? Buffer.allocUnsafeSlow(blockBytes);
    if (this.#block === this.#spare) this.#spare = null;
    if (this.#taken === 0 && bytes.length > 0) this.#file.expect();
    const size = this.#isHead ? Math.min(blockBytes, this.#headLimit - this.#start) : blockBytes;
    const taken = bytes.subarray(0, size - this.#filled);
    this.#block.set(taken, this.#filled);
    this.#filled += taken.length;
    this.#taken += taken.length;
    return taken.length;
  }

  /** Waits for the block before, not for this one. */
  async #flush(): Promise<void> {
    const block = this.#block;
    if (!block || this.#filled === 0) return;
    const bytes = block.subarray(0, this.#filled);
    const head = this.#isHead;
    this.#block = null;
    this.#filled = 0;
    await this.#writing;
    this.#writing = this.#store(bytes, head).then(() => {
      this.#spare = block;
    });
  }

  async #store(bytes: Uint8Array, head: boolean): Promise<void> {
    if (this.#failure) return;
    try {
      if (head) this.#hash.update(bytes);
      await (head ? this.#file.append(bytes) : this.#tail.write(bytes));
    } catch (cause) {
      this.#failure = { cause };
    }
  }

  async #appendTail(): Promise<number> {
    let newlines = 0;
    for await (const bytes of this.#tail.read(blockBytes)) {
      this.#hash.update(bytes);
      newlines += countNewlines(bytes);
      await this.#file.append(bytes);
    }
    await this.#tail.remove();
    return newlines;
  }
}
