import { newJobId } from './job/workspace.ts';
import type { ExecuteAnswer, ExecuteOptions, ExecuteRequest, JobView } from './types.ts';

/** A job as its execution sees it. */
export interface Job {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly onProgress: ((line: string) => void) | null;
  /** It is allowed, and waits for its slot. */
  accepted(timeoutMs: number): void;
  /** It has its slot. */
  started(): void;
}

interface Entry {
  view: JobView;
  readonly cancel: AbortController;
  readonly ended: Promise<unknown>;
}

/** The jobs that wait or run. */
export class Jobs {
  readonly #entries = new Map<string, Entry>();
  #isClosed = false;

  async follow(
    request: ExecuteRequest,
    options: ExecuteOptions,
    execute: (job: Job) => Promise<ExecuteAnswer>,
  ): Promise<ExecuteAnswer> {
    const id = newJobId();
    const cancel = new AbortController();
    if (this.#isClosed) cancel.abort();
    const ended = Promise.withResolvers<void>();
    const job: Job = {
      id,
      signal: AbortSignal.any([options.signal, cancel.signal]),
      onProgress: options.onProgress,
      accepted: (timeoutMs) => {
        const { repoId, runtime } = request;
        const times = { requestedAt: Date.now(), startedAt: null, timeoutMs };
        this.#entries.set(id, {
          view: { id, repoId, runtime, state: 'waiting', ...times },
          cancel,
          ended: ended.promise,
        });
      },
      started: () => {
        const entry = this.#entries.get(id);
        if (entry) entry.view = { ...entry.view, state: 'running', startedAt: Date.now() };
        options.onStart?.(id);
      },
    };
    try {
      return await execute(job);
    } finally {
      this.#entries.delete(id);
      ended.resolve();
    }
  }

  views(): readonly JobView[] {
    return [...this.#entries.values()].map(({ view }) => view);
  }

  async cancel(id: string): Promise<boolean> {
    const entry = this.#entries.get(id);
    if (!entry) return false;
    entry.cancel.abort();
    await entry.ended;
    return true;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#entries.keys()].map((id) => this.cancel(id)));
  }
}
