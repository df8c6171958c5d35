/** Keeps the last bytes of a text that may be long. */
export class Tail {
  readonly #size: number;
  #kept: Buffer = Buffer.alloc(0);

  constructor(size: number) {
    this.#size = size;
  }

  append(bytes: Buffer): void {
    const last = bytes.subarray(Math.max(0, bytes.length - this.#size));
    const room = Math.max(0, this.#size - last.length);
    const before = this.#kept.subarray(Math.max(0, this.#kept.length - room));
    this.#kept = Buffer.concat([before, last]);
  }

  /** Without the half of a character at its beginning. */
  text(): string {
    let start = 0;
    while (((this.#kept[start] ?? 0) & 0xc0) === 0x80) start++;
    return this.#kept.toString('utf8', start);
  }
}
