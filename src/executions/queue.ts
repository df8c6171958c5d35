import type { LiveExecution } from './live.ts';

export interface QueueOptions {
  /** How many the engine runs at once. */
  readonly size: number;
  /** Runs an execution to its end; `ran` is called when the engine is done with it, and its ending is to be stored. */
  readonly run: (live: LiveExecution, ran: () => void) => Promise<void>;
}

// Beyond those that run: their heaps are fetched while they wait for a process.
const lookahead = 2;

/** Those that wait, in the order of submission, and how many of them are let into the engine. */
export class Queue {
  readonly #options: QueueOptions;
  readonly #waiting: LiveExecution[] = [];
  /** The last of each session that asked for `latest`. */
  readonly #latest = new Map<string, LiveExecution>();
  #inEngine = 0;
  #ending = 0;
  #stopped = false;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** From 1; null when it does not wait. */
  position(live: LiveExecution): number | null {
    const index = this.#waiting.indexOf(live);
    return index === -1 ? null : index + 1;
  }

  /** Whether one that waits for no other would go to the engine at once. */
  get idle(): boolean {
    return this.#waiting.length === 0 && this.#hasRoom;
  }

  /** The one that a session's next `latest` has to wait for. */
  latestOf(session: string): LiveExecution | null {
    return this.#latest.get(session) ?? null;
  }

  /** Puts it last. It runs when `after` is over. */
  add(live: LiveExecution, after: LiveExecution | null): void {
    live.after = after;
    if (live.heap === 'latest' && live.session !== null) this.#latest.set(live.session, live);
    this.#waiting.push(live);
    this.#admit();
  }

  /** It does not wait any more: it has started, or it is over. */
  remove(live: LiveExecution): void {
    const index = this.#waiting.indexOf(live);
    if (index !== -1) this.#waiting.splice(index, 1);
    if (live.life.over && live.session !== null && this.#latest.get(live.session) === live)
      this.#latest.delete(live.session);
    this.#admit();
  }

  /** Lets no more in. */
  stop(): void {
    this.#stopped = true;
  }

  get #hasRoom(): boolean {
    const { size } = this.#options;
    // Endings hold heaps in memory: when the store is slower than the engine, the engine waits.
    return !this.#stopped && this.#inEngine < size + lookahead && this.#ending < 2 * size + lookahead;
  }

  #admit(): void {
    while (this.#hasRoom) {
      const live = this.#waiting.find(isReady);
      if (!live?.life.move('admitted')) return;
      this.#inEngine++;
      let ran = false;
      const leaveEngine = () => {
        if (ran) return;
        ran = true;
        this.#inEngine--;
        this.#ending++;
        this.#admit();
      };
      void this.#options.run(live, leaveEngine).then(() => {
        leaveEngine();
        this.#ending--;
        this.remove(live);
      });
    }
  }
}

function isReady(live: LiveExecution): boolean {
  return live.life.state === 'queued' && (live.after === null || live.after.life.over);
}
