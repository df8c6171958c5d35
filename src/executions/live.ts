import { CayError } from '../errors.ts';
import type { Execution, Source, Store, Submission } from '../store/types.ts';
import { CallLog } from './call-log.ts';
import { Life } from './life.ts';
import { OutputLog } from './output-log.ts';
import type { HostOf } from './types.ts';

/** What a run needs of a store. */
export type RunStore = Pick<Store, 'executions' | 'output' | 'calls'>;

const keptBytes = 16 * 1024;

/** What is known of every execution that waits. */
type Waiting = Pick<Submission, 'id' | 'kind' | 'session' | 'heap' | 'heapMb' | 'timeoutMs'>;

interface Beginning {
  /** Whether it was added as started. */
  readonly started: boolean;
  /** Whether nobody is told of it before its end: it is then written with whatever is written next. */
  readonly unannounced: boolean;
}

/** An execution that has not ended, with what this process knows about it. */
export class LiveExecution {
  readonly id: string;
  readonly kind: Submission['kind'];
  readonly session: string | null;
  readonly heap: string | null;
  readonly heapMb: number;
  readonly timeoutMs: number;
  readonly life = new Life();
  readonly abort = new AbortController();
  readonly output: OutputLog;
  readonly host: HostOf | null;
  /** Where it is recorded. */
  readonly store: RunStore;
  /** Rejects when it could not be taken. */
  readonly added: Promise<unknown>;
  readonly beginning: Beginning;
  /** The ended execution; null when the server stopped first. */
  readonly ended: Promise<Execution | null>;
  /** Runs only after this one is over. */
  after: LiveExecution | null = null;
  /** The key of the heap that it runs on, once that is known. */
  inputHeap: string | null = null;
  /** Why its end cannot be stored for now; storing is tried again. */
  unstored: CayError | null = null;
  /** Rejects with that. */
  readonly stalled: Promise<never>;
  /** Null when it waits in the store. */
  #source: Source | null;
  readonly #ended = Promise.withResolvers<Execution | null>();
  readonly #stalled = Promise.withResolvers<never>();
  #calls: CallLog | null = null;
  #watchers: readonly (() => void)[] = [];

  constructor(
    waiting: Waiting,
    source: Source | null,
    added: LiveExecution['added'],
    store: RunStore,
    host: HostOf | null,
    beginning: Beginning,
  ) {
    this.id = waiting.id;
    this.kind = waiting.kind;
    this.host = host;
    this.session = waiting.session;
    this.heap = waiting.heap;
    this.heapMb = waiting.heapMb;
    this.timeoutMs = waiting.timeoutMs;
    this.#source = source;
    this.added = added;
    this.store = store;
    this.beginning = beginning;
    this.output = new OutputLog(waiting.id, store.output);
    this.ended = this.#ended.promise;
    this.stalled = this.#stalled.promise;
    this.stalled.catch(() => {});
  }

  get calls(): CallLog {
    this.#calls ??= new CallLog(this.id, this.store.calls);
    return this.#calls;
  }

  /** Resolves when all that it printed and called is in the store; null when that is so already. */
  drain(): Promise<unknown> | null {
    if (this.#calls) return Promise.all([this.output.drain(), this.#calls.drain()]);
    return this.output.drained ? null : this.output.drain();
  }

  /** Ten thousand may wait: their sources do so on disk, unless they are small. */
  shed(): void {
    const { code, input } = this.#source ?? { code: '', input: null };
    if (code.length + (input?.length ?? 0) <= keptBytes) return;
    const drop = () => {
      if (this.life.state === 'queued') this.#source = null;
    };
    void this.added.then(drop, drop);
  }

  source(): Source | Promise<Source> {
    return this.#source ?? this.#storedSource();
  }

  async #storedSource(): Promise<Source> {
    const source = await this.store.executions.source(this.id);
    if (!source) throw new Error(`Execution '${this.id}' is not in the store`);
    return source;
  }

  /** The ended execution; null when the time is up before, the caller gives up, or the server stops. */
  endedWithin(milliseconds: number, signal?: AbortSignal): Promise<Execution | null> {
    // By hand: a timer that a signal ends makes an error with its stack each time (3 % of the thread's profile).
    return new Promise((resolve) => {
      const settle = (execution: Execution | null) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        resolve(execution);
      };
      const giveUp = () => settle(null);
      const timer = setTimeout(giveUp, milliseconds);
      signal?.addEventListener('abort', giveUp, { once: true });
      if (signal?.aborted) giveUp();
      void this.ended.then(settle);
    });
  }

  end(execution: Execution | null): void {
    this.life.move(execution ? 'ended' : 'left');
    this.#source = null;
    this.after = null;
    this.#ended.resolve(execution);
    this.changed();
  }

  /** It has ended, and its end cannot be stored for now. True the first time. */
  stall(error: unknown): boolean {
    if (this.unstored) return false;
    const reason = isDiskFull(error) ? 'the disk is full' : error instanceof Error ? error.message : String(error);
    const text = `Execution '${this.id}' does not run any more, and its end is not stored yet: ${reason}`;
    this.unstored = new CayError(
      isDiskFull(error) ? 'disk_full' : 'internal',
      `${text}. It will be, do not run it again`,
    );
    this.#stalled.reject(this.unstored);
    return true;
  }

  changed(): void {
    for (const watcher of this.#watchers) watcher();
  }

  /** Called when it starts, and when it is over. Returns what stops it. */
  watch(watcher: () => void): () => void {
    this.#watchers = [...this.#watchers, watcher];
    return () => {
      this.#watchers = this.#watchers.filter((other) => other !== watcher);
    };
  }
}

function isDiskFull(error: unknown): boolean {
  return error instanceof CayError && error.code === 'disk_full';
}
