import { CayError } from '../errors.ts';
import { IdleProcesses } from './idle-processes.ts';
import { IsolateProcess, type ProcessOptions } from './process/isolate-process.ts';

export interface PoolOptions extends ProcessOptions {
  /** How many runs may be under way at once. */
  readonly size: number;
  /** How many more in the second lane. Processes for these are started when they are needed. */
  readonly sideSize: number;
  /** Warm processes beyond those, so that the run after a kill waits for no process start. */
  readonly spares: number;
  /** After so many runs a process is replaced; 1 gives every run a fresh one. */
  readonly runsPerProcess: number;
  /** The sum of the heap caps of what runs at once. */
  readonly memoryBudgetMb: number;
}

/** Runs of one lane do not take the places of the other. */
export type Lane = 'main' | 'side';

interface Waiting {
  readonly heapMb: number;
  readonly lane: Lane;
  readonly grant: (process: IsolateProcess) => void;
  readonly refuse: (error: unknown) => void;
}

const startAttempts = 3;
const longestWaitMs = 10_000;

/** Warm isolate processes, lent out in the order in which they were asked for. */
export class ProcessPool {
  readonly #options: PoolOptions;
  readonly #all = new Set<IsolateProcess>();
  readonly #idle: IsolateProcess[] = [];
  readonly #idleProcesses = new IdleProcesses(this.#idle);
  readonly #queue: Waiting[] = [];
  readonly #running: Record<Lane, number> = { main: 0, side: 0 };
  #runningMb = 0;
  #failedStarts = 0;
  /** While it is set nothing else starts a process. */
  #retry: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#refill();
  }

  get waiting(): number {
    return this.#queue.length;
  }

  get running(): number {
    return this.#running.main + this.#running.side;
  }

  get processIds(): number[] {
    return [...this.#all].map((process) => process.pid).filter((pid) => pid !== undefined);
  }

  get memoryBudgetMb(): number {
    return this.#options.memoryBudgetMb;
  }

  /** Whether `acquire` would grant a process without waiting. */
  canGrant(heapMb: number, lane: Lane): boolean {
    return this.#queue.length === 0 && this.#idle.length > 0 && this.#hasPlace(lane) && this.#hasMemory(heapMb);
  }

  /** A locked, idle process, once there is a slot and memory for it. Every one must be released. */
  acquire(heapMb: number, lane: Lane, signal?: AbortSignal): Promise<IsolateProcess> {
    if (this.#closed) return Promise.reject(closedError());
    if (heapMb > this.#options.memoryBudgetMb) {
      const message = `A heap of ${heapMb} MB does not fit into the memory budget of ${this.#options.memoryBudgetMb} MB`;
      return Promise.reject(new CayError('over_memory_budget', message));
    }
    return new Promise((resolve, refuse) => {
      const grant = (process: IsolateProcess) => {
        signal?.removeEventListener('abort', leave);
        resolve(process);
      };
      const waiting: Waiting = { heapMb, lane, grant, refuse };
      const leave = () => {
        const place = this.#queue.indexOf(waiting);
        if (place === -1) return;
        this.#queue.splice(place, 1);
        refuse(new CayError('cancelled', 'The run was cancelled while it waited'));
        this.#dispatch();
      };
      if (signal?.aborted) return refuse(new CayError('cancelled', 'The run was cancelled while it waited'));
      signal?.addEventListener('abort', leave, { once: true });
      this.#queue.push(waiting);
      this.#retry?.ref();
      if (this.#failedStarts >= startAttempts && this.#all.size === 0)
        this.#tryAgain(); // it need not wait for the timer
      else if (lane === 'side') this.#refill();
      this.#dispatch();
    });
  }

  release(process: IsolateProcess, heapMb: number, lane: Lane): void {
    this.#running[lane]--;
    this.#runningMb -= heapMb;
    process.hold(false);
    if (++process.runs >= this.#options.runsPerProcess || this.#closed || !process.usable) process.kill();
    else this.#idle.push(process);
    this.#refill();
    this.#dispatch();
  }

  /** Ends every process; what waits is refused. Resolves when none is left. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#idleProcesses.stop();
    if (this.#retry) clearTimeout(this.#retry);
    for (const waiting of this.#queue.splice(0)) waiting.refuse(closedError());
    await Promise.all([...this.#all].map((process) => process.kill()));
  }

  #dispatch(): void {
    for (let next = this.#next(); next && this.#hasMemory(next.heapMb); next = this.#next()) {
      const process = this.#idle.pop();
      if (!process) return;
      if (!process.usable) {
        process.kill();
        continue;
      }
      this.#queue.splice(this.#queue.indexOf(next), 1);
      this.#running[next.lane]++;
      this.#runningMb += next.heapMb;
      process.hold(true);
      next.grant(process);
    }
  }

  /** The first whose lane has a place. A lane that is full holds up nobody; whoever waits for memory holds up all. */
  #next(): Waiting | undefined {
    return this.#queue.find(({ lane }) => this.#hasPlace(lane));
  }

  #hasPlace(lane: Lane): boolean {
    return this.#running[lane] < (lane === 'main' ? this.#options.size : this.#options.sideSize);
  }

  #hasMemory(heapMb: number): boolean {
    return this.#runningMb + heapMb <= this.#options.memoryBudgetMb;
  }

  /** Those that the second lane once needed stay: starting one costs more than keeping it. */
  #refill(): void {
    const { size, sideSize, spares } = this.#options;
    const side = this.#running.side + this.#queue.filter(({ lane }) => lane === 'side').length;
    const wanted = size + spares + Math.min(side, sideSize);
    while (!this.#closed && !this.#retry && this.#all.size < wanted) this.#start();
  }

  #start(): void {
    const process = this.#newProcess();
    if (!process) return;
    this.#all.add(process);
    process.died.then(() => {
      this.#all.delete(process);
      const place = this.#idle.indexOf(process);
      if (place !== -1) this.#idle.splice(place, 1);
      this.#refill();
    });
    process.ready.then(
      () => {
        this.#failedStarts = 0;
        process.hold(false);
        this.#idle.push(process);
        this.#dispatch();
        this.#tryAgain();
      },
      (error: unknown) => {
        this.#all.delete(process);
        this.#startFailed(error);
      },
    );
  }

  #newProcess(): IsolateProcess | null {
    try {
      return new IsolateProcess(this.#options);
    } catch (error) {
      this.#startFailed(error);
      return null;
    }
  }

  /**
   * Tries again after a growing wait. Where no process is left that could serve them, those who wait are told after some
   * attempts.
   */
  #startFailed(error: unknown): void {
    if (this.#closed) return;
    this.#failedStarts++;
    if (this.#failedStarts >= startAttempts && this.#all.size === 0) {
      for (const waiting of this.#queue.splice(0)) waiting.refuse(error);
    }
    const wait = Math.min(50 * 2 ** this.#failedStarts, longestWaitMs);
    this.#retry ??= setTimeout(() => this.#tryAgain(), wait);
    if (this.#queue.length === 0) this.#retry.unref();
  }

  #tryAgain(): void {
    if (this.#retry) clearTimeout(this.#retry);
    this.#retry = null;
    this.#refill();
  }
}

function closedError(): CayError {
  return new CayError('engine_closed', 'The engine is closed');
}
