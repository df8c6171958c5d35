import type { Engine } from '../engine/engine.ts';
import { CayError } from '../errors.ts';
import type { Ending, Status } from '../store/types.ts';
import { endingOf, failedEnding } from './ending.ts';
import { GrowingBytes } from './growing-bytes.ts';
import { newestLine } from './line.ts';
import { type ExecutionLimits, submissionOf } from './request.ts';
import type { HostedExecution, HostOf, OnceAnswer, OnceOptions, SubmitRequest } from './types.ts';

export interface PassingRunsOptions {
  readonly engine: Engine;
  readonly limits: ExecutionLimits;
  /** How many may wait. */
  readonly maxQueued: number;
  readonly host: HostOf | null;
  readonly onEnd: (status: Status) => void;
}

interface PassingRun {
  readonly abort: AbortController;
  readonly onConsole: (bytes: Buffer) => void;
  /** Null while it waits. */
  startedAt: number | null;
  /** Settles when it is over. */
  ended: Promise<Ending> | null;
}

const none = () => {};
const beginning = { inputHeap: null, heapRestored: null };
/** What they call is recorded nowhere. */
const unrecorded: HostedExecution['calls'] = { begin: () => () => {} };

/** Runs that leave nothing behind: whoever waits for one gets all of it, and nobody asks for it later. */
export class PassingRuns {
  readonly #options: PassingRunsOptions;
  readonly #runs = new Set<PassingRun>();
  #waiting = 0;
  #stopped = false;

  constructor(options: PassingRunsOptions) {
    this.#options = options;
  }

  get running(): number {
    return this.#runs.size - this.#waiting;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** It is cancelled when the time is up or the caller has gone. */
  async run(request: SubmitRequest, { milliseconds, signal, onLine }: OnceOptions): Promise<OnceAnswer> {
    if (this.#stopped) throw new CayError('closing', 'The server is stopping and takes nothing new');
    const output = new GrowingBytes();
    const onConsole = (bytes: Buffer) => {
      output.append(bytes);
      onLine?.(newestLine(bytes));
    };
    const run: PassingRun = { abort: new AbortController(), onConsole, startedAt: null, ended: null };
    let late = false;
    const giveUp = () => {
      late = true;
      run.abort.abort();
    };
    const timer = setTimeout(giveUp, milliseconds);
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
    try {
      run.ended = this.#run(request, run);
      const { status, result, error } = await run.ended;
      if (this.#stopped && status === 'cancelled') throw new CayError('closing', 'The server is stopping');
      this.#options.onEnd(status);
      return { status, result, error, output: output.view().toString('utf8'), late: late && status === 'cancelled' };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    }
  }

  /** Takes nothing new, and lets those go that wait. */
  stop(): void {
    this.#stopped = true;
    for (const { abort, startedAt } of this.#runs) if (startedAt === null) abort.abort();
  }

  /** Resolves when none is left. */
  async drained(): Promise<void> {
    await Promise.allSettled([...this.#runs].map(({ ended }) => ended));
  }

  /** Ends those that run. */
  end(): void {
    for (const { abort } of this.#runs) abort.abort();
  }

  async #run(request: SubmitRequest, run: PassingRun): Promise<Ending> {
    const { engine, limits, host, maxQueued } = this.#options;
    const { signal } = run.abort;
    const { id, code, input, heapMb, timeoutMs } = submissionOf(request, limits);
    if (this.#waiting >= maxQueued && !engine.canStart(heapMb)) {
      throw new CayError('queue_full', `${this.#waiting} executions are waiting already: try again later`);
    }
    this.#runs.add(run);
    this.#waiting++;
    const elapsed = () => (run.startedAt === null ? 0 : performance.now() - run.startedAt);
    const onStart = () => {
      run.startedAt = performance.now();
      this.#waiting--;
    };
    try {
      const { conclude, onConsole = none, ...given } = host?.({ id, calls: unrecorded }) ?? {};
      const hear = (bytes: Buffer) => {
        run.onConsole(bytes);
        onConsole(bytes);
      };
      const slot = engine.reserve(heapMb, signal); // at once: they start in the order in which they came
      const asked = { source: code, keepHeap: false, timeoutMs, maxOutputBytes: limits.maxOutputBytes };
      const withInput = input === null ? {} : { input: JSON.parse(input) as unknown };
      const outcome = await engine.run({ ...given, ...asked, ...withInput, onConsole: hear, onStart, signal }, slot);
      return { ...endingOf(outcome, beginning, elapsed(), engine.build), ...conclude?.(outcome) };
    } catch (error) {
      if (error instanceof CayError && error.code === 'engine_closed') throw error;
      return failedEnding('failed', error instanceof Error ? error.message : String(error), beginning, elapsed());
    } finally {
      if (run.startedAt === null) this.#waiting--;
      this.#runs.delete(run);
    }
  }
}
