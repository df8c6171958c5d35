import { LastLines } from './last-lines.ts';
import { shownLine } from './line.ts';
import type { LineReader } from './line-feed.ts';

/** The first `head` and the last `tail` lines. */
export class Summary implements LineReader {
  readonly #maxHead: number;
  readonly #head: string[] = [];
  readonly #tail: LastLines;

  constructor(head: number, tail: number) {
    this.#maxHead = head;
    this.#tail = new LastLines(tail);
  }

  lines(text: string, from: number, to: number): void {
    let at = from;
    while (at < to && this.#head.length < this.#maxHead) {
      const end = text.indexOf('\n', at);
      this.#head.push(shownLine(text.slice(at, end)));
      at = end + 1;
    }
    this.#tail.pushAll(text, at, to);
  }

  part(): void {}

  endOfLine(start: string): void {
    if (this.#head.length < this.#maxHead) this.#head.push(shownLine(start));
    else this.#tail.push(start);
  }

  /** `lines`: of the whole. What is missing before the tail of something without a head is not mentioned. */
  text(lines: number): string {
    const missing = lines - this.#head.length - this.#tail.length;
    const between = missing > 0 && this.#maxHead > 0 ? [linesOmitted(missing)] : [];
    return [...this.#head, ...between, ...this.#tail.all].join('\n');
  }
}

export function linesOmitted(lines: number): string {
  return `... (${lines} lines omitted) ...`;
}
