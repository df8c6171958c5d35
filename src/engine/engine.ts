import { availableParallelism, totalmem } from 'node:os';
import { CayError } from '../errors.ts';
import { type Build, loadBuild } from './build.ts';
import type { HostFunctions } from './host.ts';
import type { Outcome } from './outcome.ts';
import { ProcessPool } from './pool.ts';
import { RunConversation } from './process/conversation.ts';
import { transform } from './source/transform.ts';

export interface EngineOptions {
  /** How many runs at once; the CPU count. */
  readonly size?: number;
  readonly spares?: number;
  /** `shared` reuses a process, `process` gives every run a fresh one from the warm spares. */
  readonly isolation?: 'shared' | 'process';
  readonly runsPerProcess?: number;
  /** The largest heap cap that a run may ask for. */
  readonly maxHeapMb?: number;
  readonly memoryBudgetMb?: number;
  /** False, or CAY_JIT=off in the environment, leaves V8's optimising compilers off. */
  readonly jit?: boolean;
}

export interface RunRequest {
  readonly source: string;
  /** The heap to continue from; the base heap when there is none. */
  readonly heap?: Uint8Array | null;
  /** Whether a new heap is wanted. */
  readonly keepHeap?: boolean;
  readonly timeoutMs?: number;
  readonly heapMb?: number;
  readonly maxOutputBytes?: number;
  readonly maxResultBytes?: number;
  readonly maxPendingCalls?: number;
  readonly snapshotTimeoutMs?: number;
  /** JSON, seen by the code as the global `input`. */
  readonly input?: unknown;
  /** Globals that this run does without. */
  readonly omitGlobals?: readonly string[];
  readonly functions?: HostFunctions;
  /** Console text, as it comes: whole calls, UTF-8. */
  readonly onConsole?: (bytes: Buffer) => void;
  /** Called when the run leaves the queue. */
  readonly onStart?: () => void;
  readonly signal?: AbortSignal;
}

export const limits = { heapMb: 128, timeoutMs: 30_000, maxOutputBytes: 64 * 2 ** 20, maxResultBytes: 16 * 2 ** 20 };

/** Runs source on heaps, in a pool of locked processes. Nothing that the source does can hurt the caller. */
export class Engine {
  readonly #pool: ProcessPool;
  readonly #maxHeapMb: number;
  readonly build: Build;
  readonly jit: boolean;

  constructor(options: EngineOptions = {}) {
    this.build = loadBuild();
    const size = options.size ?? availableParallelism();
    const wanted = options.jit ?? process.env.CAY_JIT !== 'off';
    const jitOffset = wanted ? this.build.jit.offset : -1;
    this.jit = jitOffset >= 0;
    this.#maxHeapMb = options.maxHeapMb ?? 512;
    this.#pool = new ProcessPool({
      build: this.build,
      jitOffset,
      size,
      spares: options.spares ?? 1,
      maxHeapMb: this.#maxHeapMb,
      runsPerProcess: options.isolation === 'process' ? 1 : (options.runsPerProcess ?? 500),
      memoryBudgetMb: options.memoryBudgetMb ?? Math.floor(totalmem() / 2 ** 21),
    });
  }

  /** Queues a run. The promise has its outcome, and rejects only for what the caller asked wrongly. */
  async run(request: RunRequest): Promise<Outcome> {
    const heapMb = request.heapMb ?? limits.heapMb;
    if (heapMb > this.#maxHeapMb) {
      throw new CayError('over_heap_limit', `A heap of ${heapMb} MB is above the limit of ${this.#maxHeapMb} MB`);
    }
    const signal = request.signal ?? new AbortController().signal;
    const code = await transform(request.source);
    if (code.kind === 'refused') {
      const stack = `${code.name}: ${code.message}\n    at <eval>:${code.line}:${code.column}`;
      return { kind: 'failed', error: { phase: 'syntax', name: code.name, message: code.message, stack } };
    }
    const { kind: _, source, wrapped, ...names } = code;
    const functions = request.functions ?? {};
    const config = JSON.stringify({
      wrapped, // first: the isolate process looks for it there
      ...names,
      ...(request.input === undefined ? {} : { input: request.input }),
      omit: request.omitGlobals ?? [],
      functions: Object.entries(functions).map(([name, { mode }]) => ({ name, mode })),
    });
    const process = await this.#pool.acquire(heapMb, signal).catch(cancelledOr);
    if (!process) return { kind: 'cancelled' };
    request.onStart?.();
    const conversation = new RunConversation(process, {
      fields: {
        heapCapBytes: heapMb * 2 ** 20,
        maxOutputBytes: request.maxOutputBytes ?? limits.maxOutputBytes,
        maxResultBytes: request.maxResultBytes ?? limits.maxResultBytes,
        maxPendingCalls: request.maxPendingCalls ?? 1000,
        keepHeap: request.keepHeap ?? true,
        config,
        source,
      },
      heap: request.heap ?? null,
      timeoutMs: request.timeoutMs ?? limits.timeoutMs,
      snapshotTimeoutMs: request.snapshotTimeoutMs ?? 60_000,
      functions,
      onConsole: request.onConsole ?? (() => {}),
    });
    const cancel = () => conversation.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    const outcome = await conversation.start();
    signal.removeEventListener('abort', cancel);
    this.#pool.release(process, heapMb);
    return outcome;
  }

  get waiting(): number {
    return this.#pool.waiting;
  }

  get running(): number {
    return this.#pool.running;
  }

  get processIds(): number[] {
    return this.#pool.processIds;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

function cancelledOr(error: unknown): null {
  if (error instanceof CayError && error.code === 'cancelled') return null;
  throw error;
}
