import { isUtf8 } from 'node:buffer';
import type { OutputChunk, OutputStore } from '../store/types.ts';
import { OpenChunk } from './open-chunk.ts';
import { countNewlines, endsWithNewline, type OutputSource } from './output-source.ts';

const flushAfterMs = 25;
const retryAfterMs = 500;

/** What a log needs of a store. */
export type LoggedOutput = Pick<OutputStore, 'append' | 'atByte' | 'beforeLine'>;

/** The output of an execution while it runs: readable at once from memory, in the store a moment later. */
export class OutputLog {
  readonly #id: string;
  readonly #store: LoggedOutput;
  #watchers: readonly ((bytes: Uint8Array) => void)[] = [];
  readonly #open = new OpenChunk();
  /** In order: being written to the store, or to be written next. */
  #chunks: OutputChunk[] = [];
  #newlines = 0;
  #partialLine = false;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | null = null;

  /** The store takes what it is given in order: it knows the execution by then. */
  constructor(id: string, store: LoggedOutput) {
    this.#id = id;
    this.#store = store;
  }

  /** Adds whole characters. What is no UTF-8, which only a broken isolate can send, becomes U+FFFD. */
  append(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const text = isUtf8(bytes) ? bytes : Buffer.from(Buffer.from(bytes).toString('utf8'));
    this.#newlines += countNewlines(text);
    this.#partialLine = !endsWithNewline(text);
    for (let from = 0; from < text.length; ) {
      from += this.#open.fill(text.subarray(from));
      if (this.#open.full) this.#settle('settled');
    }
    this.#schedule(this.#chunks.length > 0 ? 0 : flushAfterMs);
    for (const watcher of this.#watchers) watcher(text);
  }

  /** Called with what is appended from now on. Returns what stops it. */
  watch(watcher: (bytes: Uint8Array) => void): () => void {
    this.#watchers = [...this.#watchers, watcher];
    return () => {
      this.#watchers = this.#watchers.filter((other) => other !== watcher);
    };
  }

  get bytes(): number {
    return this.#open.startByte + this.#open.length;
  }

  /** The output as it is now. */
  snapshot(): OutputSource {
    const open = this.#open.view();
    return {
      bytes: this.bytes,
      lines: this.#newlines + (this.#partialLine ? 1 : 0),
      atByte: (byte) =>
        this.#find(
          open,
          (chunk) => chunk.startByte <= byte,
          () => this.#store.atByte(this.#id, byte),
        ),
      beforeLine: (line) =>
        this.#find(
          open,
          (chunk) => chunk.startLine < line,
          () => this.#store.beforeLine(this.#id, line),
        ),
    };
  }

  /** Whether everything is in the store. */
  get drained(): boolean {
    return this.#flushing === null && this.#chunks.length === 0 && this.#open.length === 0;
  }

  /** Resolves when everything is in the store. Rejects when the store does. */
  async drain(): Promise<void> {
    await this.#flushing;
    this.#stopTimer();
    this.#settle('all');
    await this.#write();
  }

  /** Writes no more; what is not in the store is lost. */
  discard(): void {
    this.#stopped = true;
    this.#stopTimer();
  }

  #settle(what: 'settled' | 'all'): void {
    const chunk = this.#open.take(what);
    if (chunk) this.#chunks.push(chunk);
  }

  #schedule(milliseconds: number): void {
    if (this.#stopped || this.#flushing || (milliseconds > 0 && this.#timer)) return;
    this.#stopTimer();
    this.#timer = setTimeout(() => this.#flush(), milliseconds);
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #flush(): void {
    this.#timer = undefined;
    this.#settle('settled');
    if (this.#chunks.length === 0) return;
    this.#flushing = this.#write().then(
      () => this.#flushed(flushAfterMs),
      () => this.#flushed(retryAfterMs), // `drain` will tell, when the execution ends
    );
  }

  #flushed(nextAfterMs: number): void {
    this.#flushing = null;
    if (this.#chunks.length > 0 || this.#open.length > 1) this.#schedule(nextAfterMs);
  }

  async #write(): Promise<void> {
    const chunks = this.#chunks.slice();
    if (chunks.length === 0) return;
    await this.#store.append(this.#id, chunks);
    this.#chunks = this.#chunks.slice(chunks.length);
  }

  async #find(
    open: OutputChunk,
    matches: (chunk: OutputChunk) => boolean,
    stored: () => Promise<OutputChunk | null>,
  ): Promise<OutputChunk | null> {
    if (matches(open) && open.bytes.length > 0) return open;
    return this.#chunks.findLast(matches) ?? (await stored());
  }
}
