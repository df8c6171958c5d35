import type { Excerpt, StreamName } from '../types.ts';
import { LastLines } from './last-lines.ts';
import { ownCopy, shownLine } from './line.ts';
import { linesOmitted } from './summary.ts';

/** Where every line matches, all of them are one window: these first and last lines are shown of each. */
const shownAtEachEnd = 100;
const usualExcerpts = 10;
/** Whoever asks for more than the usual excerpts has so many lines of long ones shown besides, for each. */
const linesForEachMore = 20;

/** Lines that the windows of a search may show together, besides what each of them may. */
export interface Room {
  lines: number;
}

export function roomFor(maxExcerpts: number): Room {
  return { lines: linesForEachMore * Math.max(0, maxExcerpts - usualExcerpts) };
}

/** Lines that are shown together. */
export class ExcerptWindow {
  readonly #start: number;
  readonly #head: string[] = [];
  readonly #tail = new LastLines(shownAtEachEnd);
  readonly #room: Room;
  #added = 0;
  #end: number;

  constructor(start: number, room: Room) {
    this.#start = start;
    this.#room = room;
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
    if (this.#head.length < shownAtEachEnd) {
      this.#head.push(ownCopy(shownLine(line)));
    } else {
      this.#makeRoom();
      this.#tail.pushShared(line);
    }
    this.#added++;
  }

  /** What the tail would lose is the next line of the head, where none was lost before. */
  #makeRoom(): void {
    const isWhole = this.#added === this.#head.length + this.#tail.length;
    if (this.#tail.length < shownAtEachEnd || !isWhole || this.#room.lines === 0) return;
    this.#room.lines--;
    this.#head.push(ownCopy(this.#tail.all[0] ?? ''));
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
