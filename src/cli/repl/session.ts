import type { Engine } from '../../engine/engine.ts';
import type { Outcome } from '../../engine/outcome.ts';
import { CayError } from '../../errors.ts';
import { readHeapFile, writeHeapFile } from '../../heaps/heap-file.ts';

export interface SessionLimits {
  readonly heapMb: number;
  readonly timeoutMs: number;
}

/** One state that goes from input to input. What fails leaves it as it was. */
export class ReplSession {
  readonly #engine: Engine;
  readonly #limits: SessionLimits;
  #heap: Buffer | null;
  #running: AbortController | null = null;

  constructor(engine: Engine, limits: SessionLimits, heap: Buffer | null) {
    this.#engine = engine;
    this.#limits = limits;
    this.#heap = heap;
  }

  async evaluate(source: string, onConsole: (bytes: Buffer) => void): Promise<Outcome> {
    const abort = new AbortController();
    this.#running = abort;
    try {
      const run = { ...this.#limits, source, heap: this.#heap, keepHeap: true, onConsole, signal: abort.signal };
      const outcome = await this.#engine.run(run);
      if (outcome.kind === 'completed' && outcome.heap) this.#heap = outcome.heap;
      return outcome;
    } finally {
      this.#running = null;
    }
  }

  /** Cancels what is being evaluated; false when nothing is. */
  interrupt(): boolean {
    this.#running?.abort();
    return this.#running !== null;
  }

  async save(path: string): Promise<void> {
    if (!this.#heap) await this.evaluate('', () => {});
    if (!this.#heap) throw new CayError('heap_not_saved', 'There is no state to save yet');
    await writeHeapFile(path, this.#heap, this.#engine.build);
  }

  async load(path: string): Promise<void> {
    this.#heap = await readHeapFile(path, this.#engine.build);
  }

  reset(): void {
    this.#heap = null;
  }
}
