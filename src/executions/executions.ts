import { setTimeout } from 'node:timers/promises';
import type { Engine } from '../engine/engine.ts';
import { CayError } from '../errors.ts';
import { resolveHeap } from '../heaps/resolve.ts';
import { keepRetention, type Retention, type RetentionKeeper } from '../heaps/retention.ts';
import type { Execution, Store } from '../store/types.ts';
import { failedEnding, texts } from './ending.ts';
import { finish } from './finish.ts';
import { follow } from './follow.ts';
import { newestLine } from './line.ts';
import { listExecutions } from './listing.ts';
import { LiveExecution } from './live.ts';
import { storedOutput } from './output-source.ts';
import { readPage } from './page.ts';
import { pageRange } from './page-query.ts';
import { Queue } from './queue.ts';
import { recover } from './recovery.ts';
import { type ExecutionLimits, submissionOf } from './request.ts';
import { type Runner, runLive } from './run.ts';
import type { CancelAnswer, Executions, ExecutionView, ListQuery, Page, PageQuery, SubmitRequest } from './types.ts';

export interface ExecutionsOptions {
  readonly store: Store;
  readonly engine: Engine;
  readonly limits: ExecutionLimits;
  readonly retention?: Retention;
  /** False for a server without state: runs leave no heaps. */
  readonly keepHeaps?: boolean;
  /** How long running ones are waited for at the end; 5 s. */
  readonly drainMs?: number;
}

const maxQueued = 10_000;

/** Takes up what the last server left: queued executions run, started ones have failed. Store and engine stay the caller's. */
export async function createExecutions(options: ExecutionsOptions): Promise<Executions> {
  const executions = new LiveExecutions(options);
  for (const execution of await recover(options.store)) executions.requeue(execution);
  return executions;
}

class LiveExecutions implements Executions {
  readonly #options: ExecutionsOptions;
  readonly #store: Store;
  readonly #runner: Runner;
  readonly #queue: Queue;
  readonly #live = new Map<string, LiveExecution>();
  readonly #runs = new Set<Promise<void>>();
  readonly #retention: RetentionKeeper | null;
  #closing = false;

  constructor(options: ExecutionsOptions) {
    const { store, engine, limits, retention } = options;
    this.#options = { ...options, limits: { ...limits, heapMbLimit: Math.min(limits.heapMbLimit, engine.maxHeapMb) } };
    this.#store = store;
    this.#queue = new Queue({ size: limits.maxConcurrent, run: (live, ran) => this.#run(live, ran) });
    this.#runner = {
      store,
      engine,
      maxOutputBytes: limits.maxOutputBytes,
      keepHeaps: options.keepHeaps ?? true,
      onStart: (live) => this.#queue.remove(live),
    };
    this.#retention = retention ? keepRetention(store.heaps, retention, () => this.#heapsInUse()) : null;
  }

  async submit(request: SubmitRequest): Promise<Execution> {
    if (this.#closing) throw new CayError('closing', 'The server is stopping and takes nothing new');
    const { limits, engine } = this.#options;
    const submission = submissionOf(request, limits);
    const after = this.#predecessor(submission.heap, submission.session);
    const startsNow = !after && this.#queue.idle && engine.canStart(submission.heapMb);
    if (!startsNow && this.#queue.length >= (limits.maxQueued ?? maxQueued)) {
      throw new CayError('queue_full', `${this.#queue.length} executions are waiting already: try again later`);
    }
    // It may run before it is on disk. Nobody knows its id yet, and what it has done is dropped if it cannot be added.
    const added = this.#store.executions.add(submission, startsNow);
    const live = this.#enqueue(new LiveExecution(submission, added, this.#store.output), after);
    try {
      return await added;
    } catch (error) {
      this.#leave(live);
      throw error;
    }
  }

  /** One that an earlier server took and did not start. */
  requeue(execution: Execution): void {
    const live = new LiveExecution(execution, Promise.resolve(execution), this.#store.output);
    this.#enqueue(live, this.#predecessor(execution.heap, execution.session));
  }

  async get(id: string): Promise<ExecutionView | null> {
    const execution = await this.#store.executions.get(id);
    return execution && this.#view(execution);
  }

  async wait(id: string, milliseconds: number, signal?: AbortSignal): Promise<ExecutionView | null> {
    const live = this.#live.get(id);
    if (live) {
      const over = new AbortController();
      const until = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
      const time = setTimeout(milliseconds, null, { signal: until }).catch(() => null);
      await Promise.race([live.ended, time]);
      over.abort();
    }
    return this.get(id);
  }

  async page(id: string, query: PageQuery): Promise<Page | null> {
    const range = pageRange(query);
    const live = this.#live.get(id);
    if (live) return { ...(await readPage(live.output.snapshot(), range)), status: 'running' };
    const execution = await this.#store.executions.get(id);
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
    const execution = live ? await live.ended : await this.#store.executions.get(id);
    if (live && execution?.status === 'cancelled') return { ok: true };
    if (live && !execution) throw new CayError('closing', 'The server is stopping');
    if (!execution) return { ok: false, code: 'not_found', error: `Execution '${id}' not found` };
    const error = `Execution '${id}' is not running (status: ${execution.status})`;
    return { ok: false, code: 'not_running', error };
  }

  list(query: ListQuery = {}): Promise<Execution[]> {
    return listExecutions(this.#store.executions, query);
  }

  onLine(id: string, listener: (line: string) => void): () => void {
    const live = this.#live.get(id);
    return live ? live.output.watch((bytes) => listener(newestLine(bytes))) : () => {};
  }

  get counts() {
    return { running: this.#live.size - this.#queue.length, queued: this.#queue.length };
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#queue.stop();
    await this.#retention?.stop();
    for (const live of [...this.#live.values()]) if (live.life.waiting) this.#leave(live);
    const over = new AbortController();
    const drained = Promise.all([...this.#live.values()].map((live) => live.ended));
    const time = setTimeout(this.#options.drainMs ?? 5000, null, { signal: over.signal }).catch(() => null);
    await Promise.race([drained, time]);
    over.abort();
    for (const live of [...this.#live.values()]) this.#leave(live);
    await Promise.all(this.#runs);
  }

  /** The one whose heap it needs: named by its id, or the session's last that asked for `latest`. */
  #predecessor(heap: string | null, session: string | null): LiveExecution | null {
    if (heap === null) return null;
    if (heap === 'latest') return session === null ? null : this.#queue.latestOf(session);
    return this.#live.get(heap) ?? null;
  }

  #enqueue(live: LiveExecution, after: LiveExecution | null): LiveExecution {
    this.#live.set(live.id, live);
    void live.ended.then(() => this.#live.delete(live.id));
    this.#queue.add(live, after);
    void live.shed();
    return live;
  }

  #run(live: LiveExecution, ran: () => void): Promise<void> {
    return this.#track(async () => {
      const ending = await runLive(this.#runner, live).catch(() => null);
      ran();
      if (ending) await finish(this.#store, live, ending);
      else this.#leave(live); // the engine was closed
      if (live.life.state === 'left') await live.output.drain().catch(() => {});
    });
  }

  #finishQueued(live: LiveExecution): Promise<void> {
    return this.#track(async () => {
      await finish(this.#store, live, failedEnding('cancelled', texts.cancelled));
      this.#queue.remove(live);
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
    this.#queue.remove(live);
  }

  #view(execution: Execution): ExecutionView {
    const live = execution.status === 'running' ? this.#live.get(execution.id) : undefined;
    return { ...execution, queuePosition: live ? this.#queue.position(live) : null };
  }

  async #heapsInUse(): Promise<ReadonlySet<string>> {
    const resolved = [...this.#live.values()].map(async ({ heap, session, inputHeap }) => {
      return inputHeap ?? (heap === null ? null : await resolveHeap(this.#store, heap, session));
    });
    return new Set((await Promise.all(resolved)).filter((key) => key !== null));
  }
}
