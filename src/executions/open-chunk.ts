import type { OutputChunk } from '../store/types.ts';
import { countNewlines, isInsideCharacter, newline } from './output-source.ts';

export const maxChunkBytes = 64 * 1024;
const longestRunOfNewlines = 1024;
const leastBytes = 512;
const none = Buffer.alloc(0);

/**
 * The end of an output, still being filled. What is taken from it ends on a character and not with a newline, so that the
 * chunk before a line holds that line's first byte, and a page need not look further (runs of over 1,024 newlines apart).
 */
export class OpenChunk {
  #buffer = none; // most runs print nothing
  #length = 0;
  #startByte = 0;
  #startLine = 1;

  get length(): number {
    return this.#length;
  }

  get full(): boolean {
    return this.#length === maxChunkBytes;
  }

  get startByte(): number {
    return this.#startByte;
  }

  /** Takes what fits; how much that was. */
  fill(bytes: Uint8Array): number {
    const taken = Math.min(bytes.length, maxChunkBytes - this.#length);
    this.#reserve(this.#length + taken);
    this.#buffer.set(bytes.subarray(0, taken), this.#length);
    this.#length += taken;
    return taken;
  }

  /** A view of it; what is filled in later is not in it. */
  view(): OutputChunk {
    return { startByte: this.#startByte, startLine: this.#startLine, bytes: this.#buffer.subarray(0, this.#length) };
  }

  /** Takes out what may be a chunk of its own, or all of it; null when there is nothing. */
  take(what: 'settled' | 'all'): OutputChunk | null {
    const end = what === 'all' ? this.#length : settledEnd(this.#buffer, this.#length);
    if (end === 0) return null;
    const chunk = { startByte: this.#startByte, startLine: this.#startLine, bytes: this.#buffer.subarray(0, end) };
    const rest = this.#buffer.subarray(end, this.#length);
    this.#buffer = none;
    this.#length = 0;
    this.fill(rest);
    this.#startByte += end;
    this.#startLine += countNewlines(chunk.bytes);
    return chunk;
  }

  #reserve(length: number): void {
    if (length <= this.#buffer.length) return;
    const wanted = Math.max(length, this.#buffer.length * 2, leastBytes);
    const larger = Buffer.allocUnsafeSlow(Math.min(maxChunkBytes, wanted));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}

function settledEnd(bytes: Uint8Array, length: number): number {
  const end = length - unfinishedCharacter(bytes, length);
  const least = Math.max(end - longestRunOfNewlines, 0);
  let cut = end;
  while (cut > least && bytes[cut - 1] === newline) cut--;
  return cut === least && least > 0 ? end : cut;
}

/** How many bytes of a character, not yet whole, are at the end. */
function unfinishedCharacter(bytes: Uint8Array, length: number): number {
  let first = length - 1;
  while (first > length - 4 && isInsideCharacter(bytes[first])) first--;
  const lead = bytes[first] ?? 0;
  const whole = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return length - first < whole ? length - first : 0;
}
