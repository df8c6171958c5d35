import { availableParallelism, totalmem } from 'node:os';
import { CayError } from '../errors.ts';
import { type Build, loadBuild } from './build.ts';
import { type HostFunctions, installable } from './host.ts';
import { checkHeapMb, checkLimits } from './limits.ts';
import type { Failed, Outcome } from './outcome.ts';
import { type Lane, ProcessPool } from './pool.ts';
import { type Conversation, RunConversation } from './process/conversation.ts';
import type { IsolateProcess } from './process/isolate-process.ts';
import { transform } from './source/transform.ts';
import type { Language } from './source/types.ts';

export interface EngineOptions {
  /** How many runs at once; the CPU count. */
  readonly size?: number;
  /** How many more at once in the second lane; none. */
  readonly sideSize?: number;
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
  /** What it is read as first; `javascript`. */
  readonly language?: Language;
  /** The heap to continue from; the base heap when there is none. */
  readonly heap?: Uint8Array | null;
  /** Whether a new heap is wanted. */
  readonly keepHeap?: boolean;
  readonly timeoutMs?: number;
  readonly heapMb?: number;
  readonly maxOutputBytes?: number;
  readonly maxResultBytes?: number;
  readonly maxPendingCalls?: number;
  /** The largest payload of one host call. */
  readonly maxCallBytes?: number;
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

/** A place in the queue for a process. It must be run on, or released. */
export interface Slot {
  readonly heapMb: number;
  readonly lane: Lane;
  /** Null when it was cancelled while it waited. */
  readonly process: Promise<IsolateProcess | null>;
  release(): void;
}

/** A process may die while it waits; the run that it was about to get is then given to another. */
const maxAttempts = 3;

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
      sideSize: options.sideSize ?? 0,
      spares: options.spares ?? 1,
      maxHeapMb: this.#maxHeapMb,
      runsPerProcess: options.isolation === 'process' ? 1 : (options.runsPerProcess ?? 5000),
      memoryBudgetMb: options.memoryBudgetMb ?? Math.floor(totalmem() / 2 ** 21),
    });
  }

  /**
   * Queues a run. The promise has its outcome, and rejects only for what the caller asked wrongly. A run that was given a
   * slot has kept its place in the queue while its source and its heap were fetched.
   */
  async run(request: RunRequest, slot?: Slot): Promise<Outcome> {
    const run = slot ? { ...request, heapMb: slot.heapMb } : request;
    const lane = slot?.lane ?? 'main';
    try {
      const conversation = await this.#prepare(run);
      if ('kind' in conversation) return conversation;
      const { signal } = request;
      for (let attempt = 1; ; attempt++) {
        const place: Slot = slot ?? this.reserve(conversation.heapMb, signal, lane);
        slot = undefined;
        const outcome = await this.#attempt(conversation, place, signal, attempt === 1 ? request.onStart : undefined);
        if (outcome.kind !== 'not_started') return outcome;
        if (attempt === maxAttempts) return outcome.death;
      }
    } finally {
      slot?.release(); // not used
    }
  }

  /** Checks what the caller asked for, and makes the frames' contents of it; or the outcome of a source that is none. */
  async #prepare(request: RunRequest): Promise<(Conversation & { heapMb: number }) | Failed> {
    const asked = checkLimits(request, this.#maxHeapMb);
    const code = await transform(request.source, request.language);
    if (code.kind === 'refused') {
      const stack = `${code.name}: ${code.message}\n    at <eval>:${code.line}:${code.column}`;
      return { kind: 'failed', error: { phase: 'syntax', name: code.name, message: code.message, stack, code: '' } };
    }
    const { kind: _, source, wrapped, ...names } = code;
    const functions = request.functions ?? {};
    const config = JSON.stringify({
      wrapped, // first: the isolate process looks for it there
      ...names,
      ...(request.input === undefined ? {} : { input: request.input }),
      omit: request.omitGlobals ?? [],
      functions: installable(functions),
    });
    const { heapMb, timeoutMs, snapshotTimeoutMs, ...fields } = asked;
    return {
      fields: { ...fields, heapCapBytes: heapMb * 2 ** 20, keepHeap: request.keepHeap ?? true, config, source },
      heap: request.heap ?? null,
      heapMb,
      timeoutMs,
      snapshotTimeoutMs,
      functions,
      onConsole: request.onConsole ?? (() => {}),
    };
  }

  async #attempt(conversation: Conversation, slot: Slot, signal?: AbortSignal, onStart?: () => void) {
    const process = await slot.process;
    if (!process || signal?.aborted) {
      slot.release();
      return { kind: 'cancelled' } as const;
    }
    const run = new RunConversation(process, conversation);
    const cancel = () => run.cancel();
    try {
      onStart?.();
      signal?.addEventListener('abort', cancel, { once: true });
      if (signal?.aborted) cancel(); // by onStart
      return await run.start();
    } catch (error) {
      process.kill(); // in the middle of something: nobody may get it now
      throw error;
    } finally {
      signal?.removeEventListener('abort', cancel);
      this.#pool.release(process, slot.heapMb, slot.lane);
    }
  }

  /** Takes a place in the queue at once: runs start in the order in which they got their slots. */
  reserve(heapMb: number, signal?: AbortSignal, lane: Lane = 'main'): Slot {
    checkHeapMb(heapMb, this.#maxHeapMb);
    const process = this.#pool.acquire(heapMb, lane, signal).catch(cancelledOr);
    process.catch(() => {}); // whoever runs on it will see why
    const release = () => {
      process.then((granted) => granted && this.#pool.release(granted, heapMb, lane)).catch(() => {});
    };
    return { heapMb, lane, process, release };
  }

  /** Whether a run that is queued now would start at once. */
  canStart(heapMb: number, lane: Lane = 'main'): boolean {
    return this.#pool.canGrant(heapMb, lane);
  }

  /** The largest heap cap that a run can have. */
  get maxHeapMb(): number {
    return Math.min(this.#maxHeapMb, this.#pool.memoryBudgetMb);
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
