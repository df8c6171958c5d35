import { Denied } from './policy/denial.ts';

/** So many jobs at once; the others wait their turn, for a while. */
export class Slots {
  readonly #size: number;
  readonly #patienceMs: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(size: number, patienceMs = 30_000) {
    this.#size = size;
    this.#patienceMs = patienceMs;
  }

  /** Resolves with what gives the slot back. Throws a denial when none came free in time, or the wait was cancelled. */
  async take(signal: AbortSignal): Promise<() => void> {
    if (this.#taken < this.#size) this.#taken++;
    else await this.#turn(signal);
    let isHeld = true;
    return () => {
      if (isHeld) this.#release();
      isHeld = false;
    };
  }

  #turn(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const settle = (action: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      const index = this.#waiting.indexOf(come);
      if (index !== -1) this.#waiting.splice(index, 1);
      action();
    };
    const come = () => settle(resolve);
    const cancel = () => settle(() => reject(cancelled));
    const timer = setTimeout(() => settle(() => reject(this.#full())), this.#patienceMs);
    signal.addEventListener('abort', cancel, { once: true });
    this.#waiting.push(come);
    if (signal.aborted) cancel();
    return promise;
  }

  /** A slot goes from hand to hand: nobody who comes meanwhile is faster than who waited. */
  #release(): void {
    const next = this.#waiting[0];
    if (next) next();
    else this.#taken--;
  }

  #full(): Denied {
    const waited = `${this.#patienceMs / 1000} s`;
    const reason = `concurrency: ${this.#size} jobs were running for ${waited}, and runtime.maxConcurrentJobs is ${this.#size}`;
    return new Denied({ rule: 'concurrency', asked: this.#taken + 1, allowed: this.#size, reason });
  }
}

const cancelled = new Denied({
  rule: 'cancelled',
  asked: null,
  allowed: null,
  reason: 'The job was cancelled while it waited for its turn',
});
