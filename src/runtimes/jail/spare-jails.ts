import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Launch } from '../job/launch.ts';

/** Each is two small processes. */
const most = 4;

interface Spare {
  readonly launch: Launch;
  readonly timer: NodeJS.Timeout;
}

/**
 * Jails that were made before they are needed, one of a kind. Making one takes longer than most short jobs do, and a job
 * is mostly followed by another one of its kind. Each is for one job, and nothing has run in it before. One that nobody
 * needs goes after `idleMs`: about as long as an agent thinks before its next job.
 */
export class SpareJails {
  /** By what is in them, the oldest first. */
  readonly #spares = new Map<string, Spare>();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #idleMs: number;
  #isClosed = false;

  constructor(idleMs = 30_000) {
    this.#idleMs = idleMs;
  }

  take(key: string | null): Launch | null {
    const spare = key === null ? undefined : this.#spares.get(key);
    if (key === null || !spare) return null;
    this.#spares.delete(key);
    clearTimeout(spare.timer);
    if (spare.launch.isThere) return spare.launch;
    this.#follow(spare.launch.discard());
    return null;
  }

  /** Done when the answer of the job before is on its way, and before this is closed. */
  afterwards(work: () => Promise<unknown>): Promise<unknown> {
    return this.#follow(nextTurn().then(work));
  }

  /** Makes one, unless there is one. */
  refill(key: string | null, start: () => Launch): void {
    if (key === null || this.#isClosed || this.#spares.has(key)) return;
    const [oldest] = this.#spares.keys();
    if (this.#spares.size === most && oldest !== undefined) this.#drop(oldest);
    const launch = start();
    const timer = setTimeout(() => this.#drop(key), this.#idleMs);
    timer.unref();
    this.#spares.set(key, { launch, timer });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const key of [...this.#spares.keys()]) this.#drop(key);
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  #drop(key: string): void {
    const launch = this.take(key);
    if (launch) this.#follow(launch.discard());
  }

  #follow(work: Promise<unknown>): Promise<unknown> {
    const done = work.catch(() => {}).finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
    return done;
  }
}
