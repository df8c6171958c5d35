import { CayError } from '../../errors.ts';

/** Reads fields off a frame's body. Whoever wrote it is not trusted: every length is checked. */
export class Fields {
  readonly #body: Buffer;
  #at = 0;

  constructor(body: Buffer) {
    this.#body = body;
  }

  u8(): number {
    return this.#body.readUInt8(this.#advance(1));
  }

  u32(): number {
    return this.#body.readUInt32LE(this.#advance(4));
  }

  f64(): number {
    return this.#body.readDoubleLE(this.#advance(8));
  }

  text(): string {
    const size = this.u32();
    const start = this.#advance(size);
    return this.#body.toString('utf8', start, start + size);
  }

  rest(): string {
    const start = this.#advance(this.#body.length - this.#at);
    return this.#body.toString('utf8', start);
  }

  #advance(size: number): number {
    const start = this.#at;
    if (start + size > this.#body.length) {
      throw new CayError(
        'bad_frame',
        `A frame ends after ${this.#body.length} bytes where ${start + size} were expected`,
      );
    }
    this.#at += size;
    return start;
  }
}
