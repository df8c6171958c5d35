import { CayError } from '../errors.ts';
import type { Connection } from './connection.ts';
import type { UpstreamState } from './types.ts';
import { waitAfter } from './waits.ts';

/** A connection that has lasted so long was a good one: when it is lost, the next is tried at once. */
const stableMs = 5000;
/** Whoever asks right after a failed attempt gets its reason, instead of one more attempt. */
const freshFailureMs = 1000;

export interface LinkOptions {
  readonly server: string;
  /** Throws an Error that says why in words fit for everyone. */
  readonly connect: (signal: AbortSignal) => Promise<Connection>;
  /** Returns why in words fit for everyone. */
  readonly onLost: (reason: string) => string;
  readonly onChange: () => void;
}

/** Keeps one server connected: in the background, again and again, with growing waits. */
export class Link {
  readonly #options: LinkOptions;
  readonly #ending = new AbortController();
  #connection: Connection | null = null;
  #connectedAt = 0;
  #attempt: Promise<void> | null = null;
  #attemptFailedAt = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  state: UpstreamState = 'connecting';
  since = Date.now();
  lastError: string | null = null;
  nextAttemptAt: number | null = null;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  get connection(): Connection | null {
    return this.#connection;
  }

  /** Tries to connect now, unless that is under way. */
  start(): void {
    if (this.#attempt !== null || this.#connection !== null || this.#ending.signal.aborted) return;
    clearTimeout(this.#timer);
    this.nextAttemptAt = null;
    this.#become('connecting');
    this.#attempt = this.#try().finally(() => {
      this.#attempt = null;
    });
  }

  /** Nothing is tried any more: what is wrong cannot change. */
  giveUp(reason: string): void {
    this.lastError = reason;
    this.#become('failed');
  }

  /** The connection, as soon as there is one. Throws `upstream_error`, or the signal's reason. */
  async ready(signal: AbortSignal): Promise<Connection> {
    if (this.#connection !== null) return this.#connection;
    const justFailed = performance.now() - this.#attemptFailedAt < freshFailureMs;
    if (this.state === 'waiting' && !justFailed) this.start();
    if (this.#attempt !== null) await within(this.#attempt, signal);
    if (this.#connection !== null) return this.#connection;
    const { server } = this.#options;
    throw new CayError('upstream_error', `Server '${server}' is not connected: ${this.lastError ?? 'it is closing'}`);
  }

  /** Gives a connection up that no longer works. */
  drop(connection: Connection, reason: string): void {
    this.#lose(connection, reason);
    void connection.close(reason);
  }

  async close(): Promise<void> {
    this.#ending.abort();
    clearTimeout(this.#timer);
    await this.#attempt;
    const connection = this.#connection;
    this.#connection = null;
    await connection?.close('Cay is ending');
  }

  async #try(): Promise<void> {
    try {
      const connection = await this.#options.connect(this.#ending.signal);
      this.#connection = connection;
      this.#connectedAt = performance.now();
      void connection.closed.then((reason) => this.#lose(connection, reason));
      this.#become('connected');
    } catch (error) {
      this.#attemptFailedAt = performance.now();
      this.#failed(error instanceof Error ? error.message : String(error));
    }
  }

  #lose(connection: Connection, reason: string): void {
    if (this.#connection !== connection) return;
    this.#connection = null;
    if (performance.now() - this.#connectedAt >= stableMs) this.#failures = 0;
    this.#failed(this.#options.onLost(reason));
  }

  #failed(reason: string): void {
    if (this.#ending.signal.aborted) return;
    this.lastError = reason;
    const isFirst = ++this.#failures === 1 && this.#connectedAt > 0;
    const wait = isFirst ? 0 : waitAfter(this.#failures);
    this.nextAttemptAt = Date.now() + wait;
    this.#become('waiting');
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.start(), wait);
  }

  #become(state: UpstreamState): void {
    this.state = state;
    this.since = Date.now();
    this.#options.onChange();
  }
}

/** Waits for something that goes on without us. */
async function within(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
