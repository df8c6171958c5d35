import { setTimeout } from 'node:timers/promises';
import type { Engine } from '../engine/engine.ts';
import { CayError } from '../errors.ts';
import { keepRetention, type Retention, type RetentionKeeper } from '../heaps/retention.ts';
import type { Execution, ExecutionSummary, Status, Store, Submission } from '../store/types.ts';
import { complete, submitAndWait, type Taken, type Taking } from './answering.ts';
import { failedEnding, texts } from './ending.ts';
import { finish, type OnStall } from './finish.ts';
import { follow } from './follow.ts';
import { heapsInUse } from './heaps-in-use.ts';
import { laneOf } from './lanes.ts';
import { listExecutions } from './listing.ts';
import { LiveExecution } from './live.ts';
import { storedOutput } from './output-source.ts';
import { readPage } from './page.ts';
import { pageRange } from './page-query.ts';
import { PassingRuns } from './passing-runs.ts';
import { Queue } from './queue.ts';
import { recover } from './recovery.ts';
import { type ExecutionLimits, submissionOf, withinBudget } from './request.ts';
import { type Runner, runLive } from './run.ts';
import type {
  CancelAnswer,
  Executions,
  ExecutionView,
  HostOf,
  ListQuery,
  OnceAnswer,
  OnceOptions,
  Page,
  PageQuery,
  SubmitRequest,
  WaitedAnswer,
} from './types.ts';

export interface ExecutionsOptions {
  readonly store: Store;
  readonly engine: Engine;
  readonly limits: ExecutionLimits;
  /** Those of `code_execution`; without them there is none. */
  readonly codeLimits?: ExecutionLimits;
  /** What executions may ask of the server that bring nothing of their own. */
  readonly host?: HostOf;
  readonly retention?: Retention;
  /** False for a server without state: runs leave no heaps. */
  readonly keepHeaps?: boolean;
  readonly onStall?: OnStall;
  /** How long running ones are waited for at the end; 5 s. */
  readonly drainMs?: number;
}

const maxQueued = 10_000;

/** Takes up what the last server left: queued executions run, started ones have failed. Store and engine stay the caller's. */
export async function createExecutions(options: ExecutionsOptions): Promise<Executions> {
  const executions = new LiveExecutions(options);
  for (const execution of await recover(options.store)) executions.requeue(execution);
  executions.keepRetention(); // now that it is known which heaps those need
  return executions;
}

class LiveExecutions implements Executions {
  readonly #options: ExecutionsOptions;
  readonly #store: Store;
  readonly #runner: Runner;
  readonly #queues: Readonly<Record<Submission['kind'], Queue>>;
  readonly #live = new Map<string, LiveExecution>();
  readonly #runs = new Set<Promise<void>>();
  #retention: RetentionKeeper | null = null;
  readonly #endListeners = new Set<(status: Status) => void>();
  readonly #passing: PassingRuns;
  #closing = false;
  readonly #taking: Taking = {
    executions: this,
    take: (request) => this.#take(request, true),
    leave: (live) => this.#leave(live),
    sync: (id) => this.#store.executions.sync(id),
    view: (execution) => this.#view(execution),
  };

  constructor(options: ExecutionsOptions) {
    const { store, engine, limits, codeLimits } = options;
    this.#options = {
      ...options,
      limits: withinBudget(limits, engine),
      ...(codeLimits ? { codeLimits: withinBudget(codeLimits, engine) } : {}),
    };
    this.#passing = new PassingRuns({
      engine,
      limits: this.#options.limits,
      maxQueued: limits.maxQueued ?? maxQueued,
      host: options.host ?? null,
      onEnd: (status) => this.#tellEnd(status),
    });
    this.#store = store;
    const queue = (size: number) => new Queue({ size, run: (live, ran) => this.#run(live, ran) });
    this.#queues = { run_js: queue(limits.maxConcurrent), code_execution: queue(codeLimits?.maxConcurrent ?? 0) };
    this.#runner = {
      store,
      engine,
      maxOutputBytes: limits.maxOutputBytes,
      keepHeaps: options.keepHeaps ?? true,
      host: options.host ?? null,
      onStart: (live) => this.#queues[live.kind].remove(live),
    };
  }

  async submit(request: SubmitRequest): Promise<Execution> {
    const { live, added } = this.#take(request);
    try {
      return await added;
    } catch (error) {
      this.#leave(live);
      throw error;
    }
  }

  submitAndWait(request: SubmitRequest, options: OnceOptions): Promise<WaitedAnswer> {
    return submitAndWait(this.#taking, request, options);
  }

  runOnce(request: SubmitRequest, options: OnceOptions): Promise<OnceAnswer> {
    return this.#passing.run(request, options);
  }

  complete(request: SubmitRequest, signal: AbortSignal): Promise<Execution> {
    return complete(this.#taking, request, signal);
  }

  #take(request: SubmitRequest, unannounced = false): Taken {
    if (this.#closing) throw new CayError('closing', 'The server is stopping and takes nothing new');
    const { engine } = this.#options;
    const { kind = 'run_js', host = null } = request;
    const limits = kind === 'run_js' ? this.#options.limits : this.#options.codeLimits;
    if (!limits) throw new CayError('switched_off', `${kind} is switched off: set enable_code_execution to true`);
    const queue = this.#queues[kind];
    const submission = submissionOf(request, limits);
    const after = this.#predecessor(submission.heap, submission.session);
    const startsNow = !after && queue.idle && engine.canStart(submission.heapMb, laneOf(kind));
    if (!startsNow && queue.length >= (limits.maxQueued ?? maxQueued)) {
      throw new CayError('queue_full', `${queue.length} executions are waiting already: try again later`);
    }
    // It may run before it is on disk. Nobody knows its id yet, and what it has done is dropped if it cannot be added.
    const added = this.#store.executions.add(submission, startsNow, unannounced ? 'soon' : 'synced');
    const beginning = { started: startsNow, unannounced };
    const live = new LiveExecution(submission, submission, added, this.#store, host, beginning);
    return { live: this.#enqueue(live, after), added };
  }

  /** One that an earlier server took and did not start. */
  requeue(execution: ExecutionSummary): void {
    const beginning = { started: execution.started, unannounced: false };
    const live = new LiveExecution(execution, null, Promise.resolve(), this.#store, null, beginning);
    this.#enqueue(live, this.#predecessor(execution.heap, execution.session));
  }

  /** Lets old heaps go at once, since a server on stdio may not live for long, and from time to time. */
  keepRetention(): void {
    const { retention } = this.#options;
    if (retention?.maxAgeMs === undefined && retention?.maxTotalBytes === undefined) return;
    this.#retention = keepRetention(this.#store.heaps, retention, () =>
      heapsInUse(this.#store, [...this.#live.values()]),
    );
    this.#retention.run().catch(() => {}); // the next look tries again
  }

  async get(id: string): Promise<ExecutionView | null> {
    const execution = await this.#store.executions.get(id);
    return execution && this.#view(execution);
  }

  async wait(id: string, milliseconds: number, signal?: AbortSignal): Promise<ExecutionView | null> {
    const ended = await this.#live.get(id)?.endedWithin(milliseconds, signal);
    return ended ? this.#view(ended) : this.get(id);
  }

  async page(id: string, query: PageQuery): Promise<Page | null> {
    const range = pageRange(query);
    const live = this.#live.get(id);
    if (live) return { ...(await readPage(live.output.snapshot(), range)), status: 'running' };
    const execution = await this.#store.executions.summary(id);
    if (!execution) return null;
    return { ...(await readPage(await storedOutput(this.#store.output, id), range)), status: execution.status };
  }

  follow(id: string, byteOffset: number, signal: AbortSignal) {
    return follow({ executions: this, live: this.#live.get(id), id, byteOffset, signal });
  }

  async cancel(id: string): Promise<CancelAnswer> {
    const live = this.#live.get(id);
    if (live) {
      await live.added;
      if (live.life.state === 'queued') void this.#finishQueued(live);
      else live.abort.abort();
      await Promise.race([live.ended, live.stalled]);
    }
    const execution = live ? await live.ended : await this.#store.executions.summary(id);
    if (live && execution?.status === 'cancelled') return { ok: true };
    if (live && !execution) throw new CayError('closing', 'The server is stopping');
    if (!execution) return { ok: false, code: 'not_found', error: `Execution '${id}' not found` };
    const error = `Execution '${id}' is not running (status: ${execution.status})`;
    return { ok: false, code: 'not_running', error };
  }

  list(query: ListQuery = {}): Promise<ExecutionSummary[]> {
    return listExecutions(this.#store.executions, query);
  }

  onEnd(listener: (status: Status) => void): () => void {
    this.#endListeners.add(listener);
    return () => this.#endListeners.delete(listener);
  }

  get counts() {
    const counts = { running: this.#passing.running, queued: this.#passing.waiting, unstored: 0 };
    for (const { unstored, life } of this.#live.values()) {
      counts[unstored ? 'unstored' : life.waiting ? 'queued' : 'running']++;
    }
    return counts;
  }

  async close(): Promise<void> {
    this.#closing = true;
    for (const queue of Object.values(this.#queues)) queue.stop();
    this.#passing.stop();
    await this.#retention?.stop();
    for (const live of [...this.#live.values()]) if (live.life.waiting) this.#leave(live);
    const over = new AbortController();
    const drained = Promise.all([this.#passing.drained(), ...[...this.#live.values()].map((live) => live.ended)]);
    const time = setTimeout(this.#options.drainMs ?? 5000, null, { signal: over.signal }).catch(() => null);
    await Promise.race([drained, time]);
    over.abort();
    for (const live of [...this.#live.values()]) this.#leave(live);
    this.#passing.end();
    await Promise.all([this.#passing.drained(), ...this.#runs]);
  }

  /** The one whose heap it needs: named by its id, or the session's last that asked for `latest`. */
  #predecessor(heap: string | null, session: string | null): LiveExecution | null {
    if (heap === null) return null;
    if (heap === 'latest') return session === null ? null : this.#queues.run_js.latestOf(session);
    return this.#live.get(heap) ?? null;
  }

  #enqueue(live: LiveExecution, after: LiveExecution | null): LiveExecution {
    this.#live.set(live.id, live);
    void live.ended.then((execution) => this.#ended(live, execution));
    this.#queues[live.kind].add(live, after);
    live.shed();
    return live;
  }

  #ended(live: LiveExecution, execution: Execution | null): void {
    this.#live.delete(live.id);
    if (execution) this.#tellEnd(execution.status);
  }

  #tellEnd(status: Status): void {
    for (const listener of this.#endListeners) listener(status);
  }

  #run(live: LiveExecution, ran: () => void): Promise<void> {
    return this.#track(async () => {
      const ending = await runLive(this.#runner, live).catch(() => null);
      ran();
      if (ending) await finish(live, ending, this.#options.onStall);
      else this.#leave(live); // the engine was closed
      if (live.life.state === 'left') await Promise.allSettled([live.output.drain(), live.calls.drain()]);
    });
  }

  #finishQueued(live: LiveExecution): Promise<void> {
    return this.#track(async () => {
      await finish(live, failedEnding('cancelled', texts.cancelled), this.#options.onStall);
      this.#queues[live.kind].remove(live);
    });
  }

  async #track(work: () => Promise<void>): Promise<void> {
    const run = work();
    this.#runs.add(run);
    await run;
    this.#runs.delete(run);
  }

  /** Lets go of one without an ending: it could not be added, or the next start decides about it. */
  #leave(live: LiveExecution): void {
    if (live.life.over) return;
    live.end(null);
    live.abort.abort();
    this.#queues[live.kind].remove(live);
  }

  #view(execution: Execution): ExecutionView {
    const live = execution.status === 'running' ? this.#live.get(execution.id) : undefined;
    const queuePosition = live ? this.#queues[live.kind].position(live) : null;
    return { ...execution, queuePosition, error: live?.unstored?.message ?? execution.error };
  }
}
