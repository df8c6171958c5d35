const none = Buffer.alloc(0);
const leastBytes = 4096;

/** Bytes that come in pieces of any size: what they take is about what they are, also when each is a single byte. */
export class GrowingBytes {
  #buffer: Buffer = none;
  #length = 0;
  /** The first piece, which is mostly the only one, is not copied. */
  #isOwn = false;

  get length(): number {
    return this.#length;
  }

  append(piece: Buffer): void {
    if (this.#length === 0) {
      this.#buffer = piece;
    } else {
      this.#reserve(this.#length + piece.length);
      piece.copy(this.#buffer, this.#length);
    }
    this.#length += piece.length;
  }

  clear(): void {
    this.#buffer = none;
    this.#length = 0;
    this.#isOwn = false;
  }

  view(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  #reserve(length: number): void {
    if (this.#isOwn && length <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(length, this.#length * 2, leastBytes));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
    this.#isOwn = true;
  }
}
