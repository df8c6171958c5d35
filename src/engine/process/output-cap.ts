import { CayError } from '../../errors.ts';

/** Passes console bytes on up to a cap; past it, one line says so and the rest is dropped. */
export class OutputCap {
  readonly #cap: number;
  readonly #write: (bytes: Buffer) => void;
  #size = 0;
  #cut = false;

  constructor(cap: number, write: (bytes: Buffer) => void) {
    this.#cap = cap;
    this.#write = write;
  }

  write(bytes: Buffer): void {
    if (bytes.length === 0) throw new CayError('bad_frame', 'An isolate process sent a console frame without text');
    if (this.#cut) return;
    if (this.#size + bytes.length <= this.#cap) {
      this.#size += bytes.length;
      this.#write(bytes);
      return;
    }
    this.#cut = true;
    const head = bytes.subarray(0, wholeCharacters(bytes, this.#cap - this.#size));
    const separator = head.length > 0 ? '\n' : '';
    this.#write(Buffer.concat([head, Buffer.from(`${separator}[output truncated: more than ${this.#cap} bytes]\n`)]));
  }

  /** Nothing is passed on after the end of the run. */
  end(): void {
    this.#cut = true;
  }
}

/** The largest length up to `limit` that does not cut a UTF-8 character. */
function wholeCharacters(bytes: Buffer, limit: number): number {
  let end = Math.max(limit, 0);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}
