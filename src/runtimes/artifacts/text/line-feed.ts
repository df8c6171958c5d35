import { enoughUnits, ownCopy } from './line.ts';

/** What looks at lines, without ever having all of a line that is long. */
export interface LineReader {
  /** Whole lines, each with its newline: `text` from `from` to `to`. */
  lines(text: string, from: number, to: number): void;
  /** The next part of a line that does not end in its piece of text. */
  part(text: string): void;
  /** The end of that line. `start`: as much of it as is shown, or more. */
  endOfLine(start: string): void;
}

/** Finds the lines in pieces of text. */
export class LineFeed {
  readonly #readers: readonly LineReader[];
  #start = '';
  #open = false;

  constructor(readers: readonly LineReader[]) {
    this.#readers = readers;
  }

  write(text: string): void {
    const from = this.#open ? this.#finishLine(text) : 0;
    const to = text.lastIndexOf('\n') + 1;
    if (to > from) for (const reader of this.#readers) reader.lines(text, from, to);
    if (Math.max(from, to) < text.length) this.#part(text.slice(Math.max(from, to)));
  }

  /** A last line needs no newline. */
  end(): void {
    if (this.#open) this.#endOfLine();
  }

  /** Where the next line begins. */
  #finishLine(text: string): number {
    const newline = text.indexOf('\n');
    this.#part(newline === -1 ? text : text.slice(0, newline));
    if (newline === -1) return text.length;
    this.#endOfLine();
    return newline + 1;
  }

  #part(text: string): void {
    this.#open = true;
    const missing = enoughUnits - this.#start.length;
    if (missing > 0) this.#start = ownCopy(this.#start + text.slice(0, missing));
    for (const reader of this.#readers) reader.part(text);
  }

  #endOfLine(): void {
    for (const reader of this.#readers) reader.endOfLine(this.#start);
    this.#start = '';
    this.#open = false;
  }
}

/** In `text` from `from` to `to`. */
export function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
