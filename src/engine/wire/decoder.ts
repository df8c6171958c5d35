import { CayError } from '../../errors.ts';
import { type Frame, FrameType, headerSize } from './frames.ts';

const megabyte = 2 ** 20;

/** The largest body of each frame that an isolate process may send at the moment. */
export interface FrameLimits {
  readonly console: number;
  readonly outcome: number;
  readonly call: number;
  readonly heap: number;
}

/** A body that is kept must not keep the whole chunk that it came in. */
const copyBelow = 16 * 1024;

/**
 * Cuts a byte stream into frames. Memory grows with the bytes that came, never with a length that was announced;
 * a type or a length that is not allowed throws, and the stream is of no use after that.
 */
export class FrameDecoder {
  limits: FrameLimits;
  #parts: Buffer[] = [];
  #size = 0;
  #type = -1;
  #length = 0;

  constructor(limits: FrameLimits) {
    this.limits = limits;
  }

  /** Whether a frame has begun and not ended. */
  get isInFrame(): boolean {
    return this.#type !== -1 || this.#size > 0;
  }

  *push(chunk: Buffer): Generator<Frame> {
    this.#parts.push(chunk);
    this.#size += chunk.length;
    while (this.#readHeader() && this.#size >= this.#length) {
      const taken = this.#take(this.#length);
      const body = taken.length < copyBelow ? Buffer.from(taken) : taken;
      const type = this.#type;
      this.#type = -1;
      yield { type, body };
    }
  }

  #readHeader(): boolean {
    if (this.#type !== -1) return true;
    if (this.#size < headerSize) return false;
    const header = this.#take(headerSize);
    const type = header.readUInt8(0);
    const length = header.readUInt32LE(1);
    const limit = this.#limit(type);
    if (length > limit) {
      const what = limit < 0 ? `of unknown type ${type}` : `of type ${type} with ${length} bytes, over its ${limit}`;
      throw new CayError('bad_frame', `An isolate process sent a frame ${what}`);
    }
    this.#type = type;
    this.#length = length;
    return true;
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
      case FrameType.accepted:
        return 0;
      case FrameType.cancel:
      case FrameType.probed:
        return 4;
      default:
        return -1;
    }
  }

  #take(length: number): Buffer {
    const whole = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts, this.#size);
    const taken = whole.subarray(0, length);
    const rest = whole.subarray(length);
    this.#parts = rest.length > 0 ? [rest] : [];
    this.#size = rest.length;
    return taken;
  }
}
