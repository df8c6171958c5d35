// `node scripts/node.mjs bench/store.ts`: bytes and milliseconds of the store with heaps of the real engine, and its start.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '../src/engine/engine.ts';
import { openSqliteStore } from '../src/store/sqlite/open.ts';
import type { Ending, Store, Submission } from '../src/store/types.ts';

const steps = 100;
const engine = new Engine({ size: 1 });
const codec = engine.build.addon;
const say = (text: string) => process.stdout.write(`${text}\n`);
const kinds = {
  'one field, 0.8 MB': ['var state = { n: 0 }', 'state.n++'],
  'one field, 10 MB': [
    'var state = { n: 0 }, items = Array.from({ length: 135000 }, (_, id) => ({ id, name: "item " + id, price: id * 1.5 }))',
    'state.n++',
  ],
  'a list that grows, 0.8 MB': ['var log = []', 'log.push({ at: log.length, text: "entry " + log.length })'],
} as const;

for (const [name, [first, step]] of Object.entries(kinds)) await measureHeaps(name, first, step);
await engine.close();
await measureStart();

async function measureHeaps(name: string, first: string, step: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cay-bench-'));
  const store = await openSqliteStore({ folder, codec });
  let heap: Uint8Array | null = null;
  let key: string | null = null;
  const [stored, puts, gets, bytes]: number[][] = [[], [], [], []];
  const keys: string[] = [];
  for (let index = 0; index <= steps; index++) {
    const outcome = await engine.run({ source: index === 0 ? first : step, heap, heapMb: 256 });
    if (outcome.kind !== 'completed' || !outcome.heap) throw new Error(JSON.stringify(outcome));
    const { id } = await store.executions.add(submission(step), true);
    const raw = outcome.heap;
    const begun = performance.now();
    const ended = await store.executions.finish(id, {
      ...ending(),
      inputHeap: key,
      heap: { raw, fingerprint: 'f', v8: 'v' },
    });
    puts?.push(performance.now() - begun);
    key = ended?.outputHeap ?? '';
    keys.push(key);
    const read = performance.now();
    const found = await store.heaps.get(key);
    found?.done();
    heap = found?.raw ?? null;
    gets?.push(performance.now() - read);
    const info = await store.heaps.info(key);
    if (index > 0) stored?.push(info?.storedBytes ?? 0);
    bytes?.push(info?.bytes ?? 0);
  }
  const { heapBytes } = await store.statistics();
  await store.close();
  const cold = await openSqliteStore({ folder, codec, cacheMb: 0 });
  const colds: number[] = [];
  for (const each of keys.slice(-20)) {
    const read = performance.now();
    (await cold.heaps.get(each))?.done();
    colds.push(performance.now() - read);
  }
  await cold.close();
  rmSync(folder, { recursive: true });
  say(`${name}: raw ${megabytes(bytes?.at(-1))}; stored per step ${quantiles(stored)} B, all ${megabytes(heapBytes)}`);
  say(`  ms: finish with heap ${quantiles(puts)} · get ${quantiles(gets)} · get without cache ${quantiles(colds)}`);
}

async function measureStart(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cay-bench-'));
  const empty = await starts(folder);
  const store = await openSqliteStore({ folder, codec });
  const begun = performance.now();
  for (let done = 0; done < 100_000; done += 1000)
    await Promise.all(Array.from({ length: 1000 }, () => addAndFinish(store)));
  const rate = 100_000 / ((performance.now() - begun) / 1000);
  const listed = performance.now();
  await store.executions.list({ limit: 1000 });
  const list = performance.now() - listed;
  await store.close();
  const full = await starts(folder);
  rmSync(folder, { recursive: true });
  say(`start, ms: empty ${quantiles(empty)} · with 100,000 executions ${quantiles(full)}`);
  say(`${rate.toFixed(0)} executions/s added and finished, 1,000 at a time · list of 1,000: ${list.toFixed(1)} ms`);
}

async function starts(folder: string): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < 9; round++) {
    const begun = performance.now();
    const store = await openSqliteStore({ folder, codec });
    await store.executions.unfinished();
    await store.statistics();
    times.push(performance.now() - begun);
    await store.close();
  }
  return times;
}

async function addAndFinish(store: Store): Promise<void> {
  const { id } = await store.executions.add(submission('console.log(1)'), true);
  await store.output.append(id, [{ startByte: 0, startLine: 1, bytes: Buffer.from('1\n') }]);
  await store.executions.finish(id, ending());
}

function submission(code: string): Submission {
  const plain = { input: null, heap: null, session: 'bench', tags: null, heapMb: 128, timeoutMs: 30_000 };
  return { id: randomUUID(), kind: 'run_js', code, ...plain, submittedAt: Date.now() };
}

function ending(): Ending {
  const plain = { result: null, error: null, inputHeap: null, heapRestored: null, heap: null, heapError: null };
  return { status: 'completed', ...plain, completedAt: Date.now(), durationMs: 1 };
}

function quantiles(values: readonly number[] = []): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(values.every(Number.isInteger) ? 0 : 2);
  return `least ${at(0)}, p50 ${at(0.5)}, p95 ${at(0.95)}`;
}

function megabytes(bytes = 0): string {
  return `${(bytes / 1e6).toFixed(2)} MB`;
}
