import { Worker } from 'node:worker_threads';
import { type Language, type Refused, type Transformed, untouched } from './types.ts';

// A source of 64 kB takes 20 ms; one that is made to take long must not hold up the others for longer than this.
const BASE_MS = 3000;
const MS_PER_MEBIBYTE = 1500;
const LONG = 256 * 1024;
// Measured: enough for 4 MiB of nothing but short statements, 16 MiB with long texts in them, and nesting 10,000 deep.
const LIMITS = { maxOldGenerationSizeMb: 1024, stackSizeMb: 64 };
const WORKER = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);

/** Transforms on a thread of its own, one source at a time. */
class Lane {
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  run(source: string, language: Language): Promise<Transformed | Refused> {
    const result = this.#last.then(() => this.#runInWorker(source, language));
    this.#last = result.catch(() => {}); // the next one may have better luck
    return result;
  }

  #runInWorker(source: string, language: Language): Promise<Transformed | Refused> {
    const current = this.#worker ?? this.#startWorker();
    this.#worker = current;
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
        this.#worker = undefined;
        void current.terminate();
        settle(untouched(source));
      };
      const timer = setTimeout(giveUp, BASE_MS + (source.length / 2 ** 20) * MS_PER_MEBIBYTE);
      current.on('message', settle).on('error', giveUp).on('exit', giveUp);
      current.postMessage([source, language]);
    });
  }

  #startWorker(): Worker {
    const started = new Worker(WORKER, { resourceLimits: LIMITS, env: {}, execArgv: [] });
    started.on('error', () => undefined);
    started.on('exit', () => {
      if (this.#worker === started) this.#worker = undefined;
    });
    return started;
  }
}

const short = new Lane();
const long = new Lane();

/** The transformation off the main thread. If it fails, V8 gets the source as it is. Long sources hold up no short ones. */
export function offload(source: string, language: Language): Promise<Transformed | Refused> {
  return (source.length < LONG ? short : long).run(source, language);
}
