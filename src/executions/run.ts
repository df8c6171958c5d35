import type { Engine, Slot } from '../engine/engine.ts';
import { CayError } from '../errors.ts';
import { isHeapKey, resolveHeap } from '../heaps/resolve.ts';
import { restoreHeap } from '../heaps/restore.ts';
import type { Ending, FoundHeap, Store } from '../store/types.ts';
import { type Beginning, endingOf, failedEnding } from './ending.ts';
import { laneOf } from './lanes.ts';
import type { LiveExecution } from './live.ts';
import type { HostOf } from './types.ts';

export interface Runner {
  readonly store: Store;
  readonly engine: Engine;
  readonly maxOutputBytes: number;
  /** False leaves the snapshots out. */
  readonly keepHeaps: boolean;
  /** What executions may ask of the server that bring nothing of their own. */
  readonly host: HostOf | null;
  /** It has left the queue. */
  readonly onStart: (live: LiveExecution) => void;
}

/**
 * Takes an execution through the engine. Its place in the engine's queue is taken before anything is awaited, so that
 * executions start in the order of these calls; source and heap are fetched while it waits.
 */
export async function runLive(runner: Runner, live: LiveExecution): Promise<Ending> {
  const { engine, maxOutputBytes } = runner;
  const { signal } = live.abort;
  let slot: Slot | null = null;
  let beginning: Beginning = { inputHeap: null, heapRestored: live.heap === null ? null : false };
  let input: InputHeap | null = null;
  let startedAt: number | null = null;
  const elapsed = () => (startedAt === null ? 0 : performance.now() - startedAt);
  try {
    slot = engine.reserve(live.heapMb, signal, laneOf(live.kind));
    slot.process.then((granted) => granted && start(live, runner.onStart)).catch(() => {}); // the run will say why
    const source = await live.source();
    input = live.heap === null ? null : await inputHeap(runner, live, live.heap);
    live.inputHeap = input?.key ?? null;
    beginning = { inputHeap: input?.key ?? null, heapRestored: live.heap === null ? null : input !== null };
    const { conclude, onConsole, ...host } = (live.host ?? runner.host)?.(live) ?? {};
    const request = {
      ...host,
      source: source.code,
      heap: input?.heap.raw ?? null,
      keepHeap: runner.keepHeaps && live.kind === 'run_js',
      timeoutMs: live.timeoutMs,
      maxOutputBytes,
      ...(source.input === null ? {} : { input: JSON.parse(source.input) as unknown }),
      onConsole: (bytes: Buffer) => {
        live.output.append(bytes);
        onConsole?.(bytes);
      },
      onStart: () => {
        startedAt = performance.now();
      },
      signal,
    };
    const taken = slot;
    slot = null;
    const outcome = await engine.run(request, taken);
    const ending = endingOf(outcome, beginning, elapsed(), engine.build);
    return { ...ending, ...conclude?.(outcome), synced: live.kind === 'run_js' };
  } catch (error) {
    slot?.release();
    if (error instanceof CayError && error.code === 'engine_closed') throw error;
    return failedEnding('failed', error instanceof Error ? error.message : String(error), beginning, elapsed());
  } finally {
    input?.heap.done();
  }
}

/** It has a process, and leaves the queue. */
function start(live: LiveExecution, onStart: Runner['onStart']): void {
  if (!live.life.move('started')) return;
  // Not waited for: it is in the store before any output or ending of this execution. What was added as started is not
  // written again.
  const { started, unannounced } = live.beginning;
  if (!started) live.store.executions.start(live.id, unannounced ? 'soon' : 'now').catch(() => {}); // its ending will tell
  onStart(live);
  live.changed();
}

interface InputHeap {
  readonly key: string;
  readonly heap: FoundHeap;
}

async function inputHeap(runner: Runner, live: LiveExecution, asked: string): Promise<InputHeap | null> {
  // A key that is not there is found out when it is read.
  const key = isHeapKey(asked) ? asked : await resolveHeap(runner.store, asked, live.session);
  const heap = key === null ? null : await restoreHeap(runner.store.heaps, key, runner.engine.build);
  return key !== null && heap ? { key, heap } : null;
}
