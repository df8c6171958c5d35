import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Engine } from '../../src/engine/engine.ts';
import type { Outcome } from '../../src/engine/outcome.ts';
import { children, descriptors, exists, filesAround, residentBytes, until } from './processes.ts';
import { completed, heapOf } from './steps.ts';

const runs = 2000;
const lanes = 2;
const megabyte = 2 ** 20;

test(`${runs} runs in a row, with kills among them, leave nothing behind`, { timeout: 300_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cay-soak-'));
  after(() => rmSync(folder, { recursive: true }));
  process.env.TMPDIR = folder;
  const before = { children: children().length, descriptors: descriptors(), files: filesAround() };
  const engine = new Engine({ size: lanes, spares: 1 });
  const pids = new Set<number>();
  const kinds = new Map<Outcome['kind'], number>();
  const quarters: { own: number[]; pool: number[] }[] = [0, 1, 2, 3].map(() => ({ own: [], pool: [] }));
  let next = 0;

  async function lane(): Promise<void> {
    const chain = new Chain(engine);
    for (let i = next++; i < runs; i = next++) {
      const kind = await runOne(engine, chain, i);
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      for (const pid of engine.processIds) pids.add(pid);
      if (i % 20 > 0) continue;
      const quarter = quarters[Math.floor((i * 4) / runs)];
      quarter?.own.push(residentBytes('self'));
      quarter?.pool.push(Math.max(...engine.processIds.map(residentBytes)));
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane));
  console.log(`${JSON.stringify(Object.fromEntries(kinds))} in ${pids.size} processes`);

  const [, second, , last] = quarters;
  assert.ok(second && last);
  for (const part of ['own', 'pool'] as const) {
    const from = median(second[part]);
    const to = median(last[part]);
    console.log(`${part} memory: ${Math.round(from / megabyte)} MB, then ${Math.round(to / megabyte)} MB`);
    assert.ok(to < from * 1.3 + 30 * megabyte, `${part} memory grew from ${from} to ${to}`);
  }
  assert.ok(engine.processIds.length <= lanes + 1, `${engine.processIds}`);
  await engine.close();
  await until(() => [...pids].every((pid) => !exists(pid)), 'every process is gone');
  assert.equal(children().length, before.children);
  await until(() => descriptors() <= before.descriptors, 'every descriptor is closed');
  // Others may use /tmp at the same time: only what is in our own folder, or has the name of one of ours, is ours.
  const ours = (file: string) =>
    file.startsWith(folder) || /core|\.log$/.test(file) || [...pids].some((pid) => file.includes(`${pid}`));
  const left = filesAround().filter((file) => !before.files.includes(file) && ours(file));
  assert.deepEqual(left, []);
});

/** A heap that goes from run to run. */
class Chain {
  readonly #engine: Engine;
  #heap: Buffer | null = null;
  #count = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async step(): Promise<Outcome> {
    const source = 'var n = (globalThis.n ?? 0) + 1; (globalThis.trail ??= []).push({ n }); [n, trail.length]';
    const outcome = await this.#engine.run({ source, heap: this.#heap });
    this.#heap = heapOf(outcome);
    this.#count++;
    assert.equal(completed(outcome).value.text, `[${this.#count},${this.#count}]`);
    return outcome;
  }
}

async function runOne(engine: Engine, chain: Chain, i: number): Promise<Outcome['kind']> {
  const outcome = await request(engine, chain, i);
  const expected = { 3: 'timed_out', 9: 'failed', 15: 'out_of_memory', 21: 'cancelled', 27: 'timed_out' }[i % 50];
  assert.equal(outcome.kind, expected ?? 'completed', JSON.stringify(outcome).slice(0, 300));
  return outcome.kind;
}

function request(engine: Engine, chain: Chain, i: number): Promise<Outcome> {
  switch (i % 50) {
    case 3:
      return engine.run({ source: 'for (;;);', timeoutMs: 20 + (i % 30) });
    case 9:
      return engine.run({ source: `throw new Error('${i}')` });
    case 15:
      return engine.run({ source: 'const all = []; for (;;) all.push(new Array(1000).fill(0.5))', heapMb: 24 });
    case 21: {
      const abort = new AbortController();
      return engine.run({
        source: 'for (;;);',
        signal: abort.signal,
        onStart: () => setImmediate(() => abort.abort()),
      });
    }
    case 27:
      return engine.run({ source: 'setInterval(() => console.log("tick"), 1); 1', timeoutMs: 30 });
    default:
      if (i % 5 === 0) return chain.step();
      return engine.run({ source: `console.log(${i}); [${i}].map((x) => x * 2)[0]`, keepHeap: false });
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
