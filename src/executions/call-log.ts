import { type CallOutcome, type CallRecord, type CallStore, type KeptText, maxCallRecords } from '../store/calls.ts';

const flushAfterMs = 25;
const retryAfterMs = 500;
const keptBytes = 64 * 1024;
/** Of all calls of an execution together; of later ones only a glimpse of their texts is kept, and in the end nothing. */
const maxTextBytes = 64 * 2 ** 20;
const glimpseBytes = 256;
const maxNameCharacters = 256;
const maxMessageCharacters = 2000;

/** A call as it leaves; `arguments` is JSON. */
export interface CallBeginning {
  readonly server: string;
  readonly tool: string;
  readonly arguments: string;
}

export interface CallEnding {
  readonly outcome: Exclude<CallOutcome, 'running'>;
  readonly code?: string;
  readonly message?: string;
  /** JSON. */
  readonly result?: string;
}

/** The tool calls of an execution while it runs: each is in the store a moment after it was made, and after it ended. */
export class CallLog {
  readonly #id: string;
  readonly #store: Pick<CallStore, 'put'>;
  readonly #open = new Map<number, CallRecord>();
  #changed = new Map<number, CallRecord>();
  #count = 0;
  #textBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | null = null;

  constructor(id: string, store: Pick<CallStore, 'put'>) {
    this.#id = id;
    this.#store = store;
  }

  /** Returns what is to be called when it has ended. */
  begin({ server, tool, arguments: given }: CallBeginning): (ending: CallEnding) => void {
    const index = this.#count++;
    if (index >= maxCallRecords) return () => {};
    const began = performance.now();
    const record: CallRecord = {
      index,
      server: cut(server, maxNameCharacters),
      tool: cut(tool, maxNameCharacters),
      arguments: this.#keep(given),
      outcome: 'running',
      code: null,
      message: null,
      result: null,
      startedAt: Date.now(),
      durationMs: null,
    };
    this.#open.set(index, record);
    this.#put(record);
    return (ending) => {
      if (!this.#open.delete(index)) return;
      this.#put(ended(record, ending, began, ending.result === undefined ? null : this.#keep(ending.result)));
    };
  }

  /** Ends what is still open, and resolves when everything is in the store. Rejects when the store does. */
  async drain(): Promise<void> {
    for (const record of this.#open.values()) this.#put(cutOff(record));
    this.#open.clear();
    await this.#flushing;
    clearTimeout(this.#timer);
    await this.#write();
  }

  #put(record: CallRecord): void {
    this.#changed.set(record.index, record);
    // The first at once: with it goes that the execution has started, and it is not run again after a crash.
    if (!this.#flushing) this.#timer ??= setTimeout(() => this.#flush(), record.index === 0 ? 0 : flushAfterMs);
  }

  #flush(): void {
    this.#timer = undefined;
    const next = (milliseconds: number) => {
      this.#flushing = null;
      if (this.#changed.size > 0) this.#timer ??= setTimeout(() => this.#flush(), milliseconds);
    };
    this.#flushing = this.#write().then(
      () => next(flushAfterMs),
      () => next(retryAfterMs), // `drain` will tell, when the execution ends
    );
  }

  async #write(): Promise<void> {
    if (this.#changed.size === 0) return;
    const written = this.#changed;
    this.#changed = new Map();
    try {
      await this.#store.put(this.#id, [...written.values()]);
    } catch (error) {
      this.#changed = new Map([...written, ...this.#changed]);
      throw error;
    }
  }

  #keep(text: string): KeptText {
    const bytes = Buffer.byteLength(text);
    const kept = beginning(text, bytes, this.#textBytes < maxTextBytes ? keptBytes : glimpseBytes);
    this.#textBytes += kept.length;
    return { text: kept, bytes };
  }
}

function ended(record: CallRecord, ending: CallEnding, began: number, result: KeptText | null): CallRecord {
  return {
    ...record,
    outcome: ending.outcome,
    code: ending.code ?? null,
    message: ending.message === undefined ? null : cut(ending.message, maxMessageCharacters),
    result,
    durationMs: Math.round((performance.now() - began) * 1000) / 1000,
  };
}

/** The execution is over before it was answered. */
function cutOff(record: CallRecord): CallRecord {
  const message = 'The execution ended before the answer came';
  return { ...record, outcome: 'cancelled', code: 'CANCELLED', message, durationMs: Date.now() - record.startedAt };
}

/** As much of it as is kept, and no half of a character. */
function beginning(text: string, bytes: number, most: number): string {
  if (bytes <= most) return text;
  const head = Buffer.from(text.slice(0, most)).subarray(0, most);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(head, { stream: true });
}

function cut(text: string, characters: number): string {
  return (text.length > characters ? `${text.slice(0, characters)}…` : text).toWellFormed();
}
