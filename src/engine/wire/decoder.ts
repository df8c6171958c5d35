import { CayError } from '../../errors.ts';
import { reuseShared, sharedBytes } from '../core.ts';
import { type Frame, FrameType, headerSize } from './frames.ts';

const megabyte = 2 ** 20;
const none = Buffer.alloc(0);

/** The largest body of each frame that an isolate process may send at the moment. */
export interface FrameLimits {
  readonly console: number;
  readonly outcome: number;
  readonly call: number;
  readonly heap: number;
}

/** Most heaps are smaller: their memory is taken once. It is reserved, not used, until the bytes come. */
const firstBytes = megabyte;

/**
 * Cuts a byte stream into frames. Memory grows with the bytes that came, not with a length that was announced;
 * a type or a length that is not allowed throws, and the stream is of no use after that. Bodies are copies: the memory
 * of a chunk is the caller's again when all its frames have been taken.
 */
export class FrameDecoder {
  limits: FrameLimits;
  readonly #header = Buffer.alloc(headerSize);
  #headerFilled = 0;
  #type = -1;
  #length = 0;
  #body: Buffer = none;
  #filled = 0;

  constructor(limits: FrameLimits) {
    this.limits = limits;
  }

  /** Whether a frame has begun and not ended. */
  get isInFrame(): boolean {
    return this.#headerFilled > 0;
  }

  *push(chunk: Buffer): Generator<Frame> {
    let at = 0;
    for (;;) {
      if (this.#headerFilled < headerSize) {
        at += this.#fillHeader(chunk, at);
        if (this.#headerFilled < headerSize) return;
        this.#begin();
      }
      at += this.#fillBody(chunk, at);
      if (this.#filled < this.#length) return;
      const frame = { type: this.#type, body: this.#body };
      this.#headerFilled = 0;
      this.#body = none;
      yield frame;
    }
  }

  #fillHeader(chunk: Buffer, at: number): number {
    const count = Math.min(headerSize - this.#headerFilled, chunk.length - at);
    for (let i = 0; i < count; i++) this.#header[this.#headerFilled++] = chunk[at + i] ?? 0;
    return count;
  }

  #begin(): void {
    const type = this.#header.readUInt8(0);
    const length = this.#header.readUInt32LE(1);
    const limit = this.#limit(type);
    if (length > limit) {
      const what = limit < 0 ? `of unknown type ${type}` : `of type ${type} with ${length} bytes, over its ${limit}`;
      throw new CayError('bad_frame', `An isolate process sent a frame ${what}`);
    }
    this.#type = type;
    this.#length = length;
    this.#filled = 0;
    this.#body = length === 0 ? none : this.#allocate(Math.min(length, firstBytes));
  }

  #fillBody(chunk: Buffer, at: number): number {
    const count = Math.min(this.#length - this.#filled, chunk.length - at);
    if (this.#filled + count > this.#body.length) this.#grow(this.#filled + count);
    chunk.copy(this.#body, this.#filled, at, at + count);
    this.#filled += count;
    return count;
  }

  #grow(least: number): void {
    const larger = this.#allocate(Math.min(this.#length, Math.max(least, 2 * this.#body.length)));
    this.#body.copy(larger, 0, 0, this.#filled);
    if (this.#type === FrameType.snapshot) reuseShared(this.#body);
    this.#body = larger;
  }

  /** Heaps go from thread to thread, and stay in caches of several: in memory that all of them see. */
  #allocate(length: number): Buffer {
    return this.#type === FrameType.snapshot ? sharedBytes(length) : Buffer.allocUnsafe(length);
  }

  #limit(type: number): number {
    switch (type) {
      case FrameType.console:
        return this.limits.console;
      case FrameType.call:
        return this.limits.call;
      case FrameType.outcome:
        return this.limits.outcome;
      case FrameType.snapshot:
        return this.limits.heap;
      case FrameType.ready:
      case FrameType.heapError:
      case FrameType.fatal:
        return megabyte;
      case FrameType.cancel:
      case FrameType.probed:
        return 4;
      default:
        return -1;
    }
  }
}
