import { ownCopy, shownLine } from './line.ts';

/** A piece that adds few lines, all of which are kept, would itself stay in memory for them. */
const fewLines = 16;

/** The last so many lines, as they are shown. */
export class LastLines {
  readonly #max: number;
  readonly #ring: string[] = [];
  #next = 0;

  constructor(max: number) {
    this.#max = max;
  }

  push(line: string): void {
    this.#put(ownCopy(shownLine(line)));
  }

  /** Without a copy, for where lines come and go quickly; what they are parts of stays until `makeOwn`. */
  pushShared(line: string): void {
    this.#put(shownLine(line));
  }

  makeOwn(): void {
    for (const [index, line] of this.#ring.entries()) this.#ring[index] = ownCopy(line);
  }

  /** Whole lines: `text` from `from` to `to`. */
  pushAll(text: string, from: number, to: number): void {
    const starts: number[] = [];
    for (let start = to; start > from && starts.length < this.#max; ) {
      // Back from before the newline of the line; an index below 0 would be taken for 0.
      start = start < 2 ? 0 : Math.max(from, text.lastIndexOf('\n', start - 2) + 1);
      starts.push(start);
    }
    const own = starts.length <= fewLines;
    for (let index = starts.length - 1; index >= 0; index--) {
      const line = shownLine(text.slice(starts[index], (starts[index - 1] ?? to) - 1));
      this.#put(own ? ownCopy(line) : line);
    }
  }

  /** From the oldest to the newest. */
  get all(): string[] {
    return [...this.#ring.slice(this.#next), ...this.#ring.slice(0, this.#next)];
  }

  get length(): number {
    return this.#ring.length;
  }

  clear(): void {
    this.#ring.length = 0;
    this.#next = 0;
  }

  #put(line: string): void {
    if (this.#ring.length < this.#max) {
      this.#ring.push(line);
    } else if (this.#max > 0) {
      this.#ring[this.#next] = line;
      this.#next = (this.#next + 1) % this.#max;
    }
  }
}
