import { createHash } from 'node:crypto';
import { cpSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from '../../src/engine/engine.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import type { Store } from '../../src/store/types.ts';
import { complete } from '../engine/bench.ts';
import { interleave } from '../engine/statistics.ts';
import type { ServerBench } from './bench.ts';

/** `fetch`: the raw bytes, their hash checked. `restore`: that, and a run of `1` on them. */
export type RestoreKey = `${'fetch' | 'restore'} ${'file' | 'cached' | 'cold'}`;
export type RestoreTimes = ReadonlyMap<RestoreKey, number[]>;

/** A heap from the store, which has it in memory or has to rebuild it, beside the same heap as a plain file. */
export async function measureRestores(bench: ServerBench, folder: string, key: string): Promise<RestoreTimes> {
  const engine = await bench.engines.engine('shared');
  const codec = engine.build.addon;
  const copy = bench.folder(); // one store has a folder at a time
  cpSync(folder, copy, { recursive: true });
  const cached = await openSqliteStore({ folder, codec });
  const cold = await openSqliteStore({ folder: copy, codec, fingerprint: engine.build.fingerprint, cacheMb: 0 });
  try {
    const file = join(folder, 'raw-heap');
    writeFileSync(file, await fromStore(cached, key));
    const sources = {
      file: () => fromFile(file, key),
      cached: () => fromStore(cached, key),
      cold: () => fromStore(cold, key),
    };
    const turns = new Map<RestoreKey, () => Promise<number>>();
    for (const [name, fetch] of Object.entries(sources) as [keyof typeof sources, () => Promise<Uint8Array>][]) {
      turns.set(`fetch ${name}`, () => timed(fetch));
      turns.set(`restore ${name}`, () => timed(async () => restore(engine, await fetch())));
    }
    for (const turn of turns.values()) await turn();
    return await interleave(bench.quick ? 7 : 21, turns);
  } finally {
    await cached.close();
    await cold.close();
  }
}

async function fromFile(file: string, key: string): Promise<Uint8Array> {
  const raw = await readFile(file);
  if (createHash('sha256').update(raw).digest('hex') !== key) throw new Error(`${file} has changed`);
  return raw;
}

async function fromStore(store: Store, key: string): Promise<Uint8Array> {
  const found = await store.heaps.get(key);
  if (!found) throw new Error(`Heap '${key}' is not in the store`);
  found.done(); // this store uses no memory again; and what is being read stays in it, and is not cold the next time
  return found.raw;
}

function restore(engine: Engine, heap: Uint8Array): Promise<unknown> {
  return complete(engine, { source: '1', heap, keepHeap: false });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
