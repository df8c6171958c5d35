import { Worker } from 'node:worker_threads';
import { type Refused, type Transformed, untouched } from './types.ts';

const LIMIT_MS = 10_000;
// Measured: enough for 4 MiB of nothing but short statements, 16 MiB with long texts in them, and nesting 10,000 deep.
const LIMITS = { maxOldGenerationSizeMb: 1024, stackSizeMb: 64 };
const WORKER = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);

let worker: Worker | undefined;
let last: Promise<unknown> = Promise.resolve();

/** The transformation on a thread of its own, one at a time. If that fails, V8 gets the source as it is. */
export function offload(source: string): Promise<Transformed | Refused> {
  const result = last.then(() => runInWorker(source));
  last = result;
  return result;
}

function runInWorker(source: string): Promise<Transformed | Refused> {
  const current = worker ?? startWorker();
  worker = current;
  current.ref();
  return new Promise((resolve) => {
    const settle = (result: Transformed | Refused): void => {
      clearTimeout(timer);
      current.off('message', settle).off('error', giveUp).off('exit', giveUp);
      current.unref();
      resolve(result);
    };
    // Out of memory, out of time, or swc fell over: nothing in that thread can be relied on any more.
    const giveUp = (): void => {
      worker = undefined;
      void current.terminate();
      settle(untouched(source));
    };
    const timer = setTimeout(giveUp, LIMIT_MS);
    current.on('message', settle).on('error', giveUp).on('exit', giveUp);
    current.postMessage(source);
  });
}

function startWorker(): Worker {
  const started = new Worker(WORKER, { resourceLimits: LIMITS, env: {}, execArgv: [] });
  started.on('error', () => undefined);
  started.on('exit', () => {
    if (worker === started) worker = undefined;
  });
  return started;
}
