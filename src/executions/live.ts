import type { Execution, OutputStore, Submission } from '../store/types.ts';
import { Life } from './life.ts';
import { OutputLog } from './output-log.ts';

const keptBytes = 16 * 1024;

/** An execution that has not ended, with what this process knows about it. */
export class LiveExecution {
  readonly id: string;
  readonly session: string | null;
  readonly heap: string | null;
  readonly heapMb: number;
  readonly life = new Life();
  readonly abort = new AbortController();
  readonly output: OutputLog;
  /** On disk. Rejects when it could not be taken. */
  readonly added: Promise<Execution>;
  /** The ended execution; null when the server stopped first. */
  readonly ended: Promise<Execution | null>;
  /** Runs only after this one is over. */
  after: LiveExecution | null = null;
  /** The key of the heap that it runs on, once that is known. */
  inputHeap: string | null = null;
  /** Rejects when its ending cannot be stored for now; storing is tried again. */
  readonly stalled: Promise<never>;
  #submission: Submission | null;
  readonly #ended = Promise.withResolvers<Execution | null>();
  readonly #stalled = Promise.withResolvers<never>();
  readonly #watchers = new Set<() => void>();

  constructor(submission: Submission, added: Promise<Execution>, output: OutputStore) {
    this.id = submission.id;
    this.session = submission.session;
    this.heap = submission.heap;
    this.heapMb = submission.heapMb;
    this.#submission = submission;
    this.added = added;
    this.output = new OutputLog(submission.id, output, added);
    this.ended = this.#ended.promise;
    this.stalled = this.#stalled.promise;
    this.stalled.catch(() => {});
  }

  /** Ten thousand may wait: their sources do so on disk, unless they are small. */
  async shed(): Promise<void> {
    const { code, input } = this.#submission ?? { code: '', input: null };
    if (code.length + (input?.length ?? 0) <= keptBytes) return;
    await this.added.catch(() => {});
    if (this.life.state === 'queued') this.#submission = null;
  }

  async submission(fetch: (id: string) => Promise<Submission | null>): Promise<Submission> {
    const submission = this.#submission ?? (await fetch(this.id));
    if (!submission) throw new Error(`Execution '${this.id}' is not in the store`);
    return submission;
  }

  end(execution: Execution | null): void {
    this.life.move(execution ? 'ended' : 'left');
    this.#submission = null;
    this.after = null;
    this.#ended.resolve(execution);
    this.changed();
  }

  stall(error: unknown): void {
    this.#stalled.reject(error);
  }

  changed(): void {
    for (const watcher of this.#watchers) watcher();
  }

  /** Called when it starts, and when it is over. Returns what stops it. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }
}
