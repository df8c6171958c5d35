import { styleText } from 'node:util';
import { cut } from './display-width.ts';
import { spokenDuration } from './times.ts';

const quietMs = 700;
const tickMs = 200;
const frames = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';

/** One line on standard error that says what is being waited for and for how long; only where both are a terminal. */
export class Progress {
  readonly #began = performance.now();
  readonly #timer: NodeJS.Timeout | null;
  #shown = false;
  #midLine = false;
  #what: string;

  constructor(what: string) {
    this.#what = what;
    const visible = process.stderr.isTTY === true && process.stdout.isTTY === true;
    this.#timer = visible ? setInterval(() => this.#draw(), tickMs) : null;
    this.#timer?.unref();
  }

  say(what: string): void {
    this.#what = what;
  }

  /** Writes to standard output, in the place of the line. */
  write(text: string): void {
    if (text === '') return;
    this.#clear();
    process.stdout.write(text);
    this.#midLine = !text.endsWith('\n');
  }

  end(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#clear();
  }

  #clear(): void {
    if (this.#shown) process.stderr.write('\r\x1b[K');
    this.#shown = false;
  }

  #draw(): void {
    const waited = performance.now() - this.#began;
    if (waited < quietMs || this.#midLine) return;
    const frame = frames[Math.floor(waited / tickMs) % frames.length];
    const text = cut(`${frame} ${this.#what}, ${spokenDuration(waited)}`, (process.stderr.columns || 80) - 1);
    process.stderr.write(`\r\x1b[K${styleText('dim', text, { stream: process.stderr })}`);
    this.#shown = true;
  }
}
