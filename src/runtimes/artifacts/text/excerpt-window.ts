import type { Excerpt, StreamName } from '../types.ts';
import { LastLines } from './last-lines.ts';
import { ownCopy, shownLine } from './line.ts';
import { linesOmitted } from './summary.ts';

/** Where every line matches, all of them are one window: more than these first and last lines are not shown. */
const shownAtEachEnd = 100;

/** Lines that are shown together. */
export class ExcerptWindow {
  readonly #start: number;
  readonly #head: string[] = [];
  readonly #tail = new LastLines(shownAtEachEnd);
  #added = 0;
  #end: number;

  constructor(start: number) {
    this.#start = start;
    this.#end = start - 1;
  }

  get end(): number {
    return this.#end;
  }

  add(line: string): void {
    this.#end++;
    this.note(line);
  }

  /** A line that is not of the output. */
  note(line: string): void {
    this.#added++;
    if (this.#head.length < shownAtEachEnd) this.#head.push(ownCopy(shownLine(line)));
    else this.#tail.pushShared(line);
  }

  /** Another window follows: this one is to keep nothing in memory but its lines. */
  settle(): void {
    this.#tail.makeOwn();
  }

  excerpt(source: StreamName): Excerpt {
    const missing = this.#added - this.#head.length - this.#tail.length;
    const between = missing > 0 ? [linesOmitted(missing)] : [];
    const content = [...this.#head, ...between, ...this.#tail.all].join('\n');
    return { lineStart: this.#start, lineEnd: this.#end, content, source };
  }
}
