import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine, type EngineOptions, type RunRequest } from '../../src/engine/engine.ts';
import type { Completed } from '../../src/engine/outcome.ts';
import { type ChildKind, ChildPeer } from './child-peer.ts';
import { interleave, median, pairedRatio } from './statistics.ts';
import type { Cell, Column, Row } from './table.ts';

export type EngineKind = 'shared' | 'jitOff' | 'process';

const engineOptions: Record<EngineKind, EngineOptions> = {
  shared: {},
  jitOff: { jit: false },
  process: { isolation: 'process' },
};

/** Starts what the rows ask for, and ends it. */
export class Bench {
  readonly quick: boolean;
  /** Peers that could not be started, and why. */
  readonly missing = new Map<ChildKind, string>();
  readonly #children: ChildPeer[] = [];
  readonly #engines: Engine[] = [];
  #folder: string | null = null;

  constructor(quick: boolean) {
    this.quick = quick;
  }

  async child(kind: ChildKind): Promise<ChildPeer | null> {
    if (this.missing.has(kind)) return null;
    try {
      const peer = await ChildPeer.start(kind);
      this.#children.push(peer);
      return peer;
    } catch (error) {
      this.missing.set(kind, (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '');
      return null;
    }
  }

  /** An engine whose processes have all run once. */
  async engine(kind: EngineKind, size = 1, options: EngineOptions = {}): Promise<Engine> {
    const engine = new Engine({ size, ...engineOptions[kind], ...options });
    this.#engines.push(engine);
    for (let i = 0; i < 3; i++)
      await Promise.all(Array.from({ length: size }, () => complete(engine, { source: '1' })));
    await settle();
    return engine;
  }

  /** A heap as a file, for the bare addon in its own process. */
  heapFile(name: string, heap: Uint8Array): string {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'cay-bench-'));
    const file = join(this.#folder, name);
    writeFileSync(file, heap);
    return file;
  }

  /** Ends everything that was started, so that one section does not weigh on the next. */
  async end(): Promise<void> {
    for (const child of this.#children.splice(0)) child.stop();
    await Promise.all(this.#engines.splice(0).map((engine) => engine.close()));
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = null;
  }
}

/** A run that has to complete, and with its heap if one is asked for. */
export async function complete(engine: Engine, request: RunRequest): Promise<Completed> {
  const outcome = await engine.run({ timeoutMs: 120_000, heapMb: 512, ...request });
  if (outcome.kind !== 'completed') throw new Error(`A run of the benchmark ended as ${JSON.stringify(outcome)}`);
  if (outcome.heapError) throw new Error(outcome.heapError);
  return outcome;
}

/** A new heap with what the source leaves in it. */
export async function makeHeap(engine: Engine, source: string): Promise<Uint8Array> {
  const { heap } = await complete(engine, { source });
  if (!heap) throw new Error('There is no heap');
  return heap;
}

/** Milliseconds from the call to the outcome, median of `count` runs in a row. */
export async function wallTime(engine: Engine, request: RunRequest, count = 1): Promise<number> {
  const values: number[] = [];
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    await complete(engine, request);
    values.push(performance.now() - start);
  }
  return median(values);
}

/** Lets a replacement process finish its start, so that it is not measured with the next peer. */
export function settle(ms = 200): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export type Measures = Partial<Record<Column, () => number | Promise<number>>>;

/** One row, its peers measured in turns; every value with its ratio to `base`. Also the values by round. */
export async function measureRow(
  label: string,
  rounds: number,
  base: Column | null,
  measures: Measures,
): Promise<{ row: Row; values: Map<Column, number[]> }> {
  const peers = new Map(Object.entries(measures) as [Column, () => number | Promise<number>][]);
  const values = await interleave(rounds, peers);
  const cells: Partial<Record<Column, Cell>> = {};
  const baseValues = base ? values.get(base) : undefined;
  for (const [column, own] of values) {
    const value = median(own);
    cells[column] = baseValues && column !== base ? { value, ratio: pairedRatio(own, baseValues) } : { value };
  }
  return { row: { label, cells }, values };
}
