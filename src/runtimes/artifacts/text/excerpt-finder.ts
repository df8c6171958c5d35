import type { Excerpt, Search, StreamName } from '../types.ts';
import { ExcerptWindow, type Room, roomFor } from './excerpt-window.ts';
import { LastLines } from './last-lines.ts';
import { ownCopy } from './line.ts';
import { countLines, type LineReader } from './line-feed.ts';
import { TermMatcher } from './term-matcher.ts';

/** Finds the lines that match, with those around them. Lines that are far from a match are only counted. */
export class ExcerptFinder implements LineReader {
  readonly #matcher: TermMatcher;
  readonly #contextLines: number;
  readonly #maxExcerpts: number;
  readonly #room: Room;
  readonly #windows: ExcerptWindow[] = [];
  /** The one that the next match may still extend. */
  #window: ExcerptWindow | null = null;
  /** The last lines, as far as they are in no window. */
  readonly #before: LastLines;
  /** How many of the next lines are in the window in any case. */
  #after = 0;
  /** The last line that has been seen. */
  #line = 0;
  #gap: { readonly line: number; readonly words: string } | null = null;
  readonly #open = { matches: false, carry: '' };
  #done = false;

  constructor({ terms, contextLines, maxExcerpts }: Search) {
    this.#matcher = new TermMatcher(terms);
    this.#contextLines = contextLines;
    this.#maxExcerpts = maxExcerpts;
    this.#room = roomFor(maxExcerpts);
    this.#before = new LastLines(contextLines);
    this.#done = maxExcerpts < 1;
  }

  /** Whether nothing that may follow can change what was found. */
  get done(): boolean {
    return this.#done;
  }

  lines(text: string, from: number, to: number): void {
    for (let at = from; at < to && !this.#done; ) {
      const start = this.#after > 0 ? at : this.#skipToMatch(text, at, to);
      if (start === to) break;
      const end = text.indexOf('\n', start);
      const line = text.slice(start, end);
      this.#take(line, this.#after === 0 || this.#matcher.isIn(line));
      at = end + 1;
    }
  }

  part(text: string): void {
    if (this.#open.matches || this.#done) return;
    const { carryUnits } = this.#matcher;
    this.#open.matches = this.#matcher.isIn(text) || this.#matcher.isIn(this.#open.carry + text.slice(0, carryUnits));
    const end = text.length < carryUnits ? this.#open.carry + text : text;
    this.#open.carry = carryUnits > 0 ? ownCopy(wholeCharacters(end.slice(-carryUnits))) : '';
  }

  endOfLine(start: string): void {
    if (!this.#done) this.#take(start, this.#open.matches);
    this.#open.matches = false;
    this.#open.carry = '';
  }

  /** Between the lines before and those after something is missing, as `words` say; it goes on with line `line`. */
  gap(line: number, words: string): void {
    if (this.#after > 0) this.#window?.note(words);
    this.#gap = this.#after > 0 ? null : { line, words };
    this.#after = 0;
    this.#window = null;
    this.#before.clear();
    this.#line = line - 1;
    this.#done ||= this.#windows.length === this.#maxExcerpts;
  }

  excerpts(source: StreamName): Excerpt[] {
    return this.#windows.map((window) => window.excerpt(source));
  }

  /** The start of the next line that matches; `to` when there is none before. */
  #skipToMatch(text: string, from: number, to: number): number {
    const match = this.#matcher.indexIn(text, from);
    const found = match !== -1 && match < to;
    const start = found ? Math.max(from, match === 0 ? 0 : text.lastIndexOf('\n', match - 1) + 1) : to;
    this.#line += countLines(text, from, start);
    this.#before.pushAll(text, from, start);
    this.#settle();
    return start;
  }

  #take(line: string, matches: boolean): void {
    this.#line++;
    if (matches) {
      this.#match(line);
    } else if (this.#after > 0) {
      this.#after--;
      this.#window?.add(line);
    } else {
      this.#before.push(line);
      this.#settle();
    }
  }

  #match(line: string): void {
    const start = this.#line - this.#before.length;
    if (!this.#window || start > this.#window.end + 1) {
      if (this.#windows.length === this.#maxExcerpts) {
        this.#done = true;
        return;
      }
      this.#window = this.#openWindow(start);
    }
    for (const before of this.#before.all) this.#window.add(before);
    this.#window.add(line);
    this.#before.clear();
    this.#after = this.#contextLines;
  }

  #openWindow(start: number): ExcerptWindow {
    this.#windows.at(-1)?.settle();
    const window = new ExcerptWindow(start, this.#room);
    if (this.#gap?.line === start) window.note(this.#gap.words);
    this.#gap = null;
    this.#windows.push(window);
    return window;
  }

  /** After a line that is in no window: the last window is closed when the next match cannot touch it. */
  #settle(): void {
    const closed = !this.#window || this.#line > this.#window.end + this.#contextLines;
    this.#done ||= closed && this.#windows.length === this.#maxExcerpts;
  }
}

/** Without the half of a character that it may begin with: a copy would make it U+FFFD, which a term may hold. */
function wholeCharacters(text: string): string {
  const first = text.charCodeAt(0);
  return first >= 0xdc00 && first <= 0xdfff ? text.slice(1) : text;
}
