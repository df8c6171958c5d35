import type { Engine } from '../../../src/engine/engine.ts';
import { type Bench, complete, type EngineKind, settle } from '../bench.ts';
import type { ChildKind } from '../child-peer.ts';
import { interleave, median, pairedRatio } from '../statistics.ts';
import { type Cell, type Column, figure, type Row, type Section, type Target, times } from '../table.ts';

const source = '1';
const limit = 1.8;

type Key = `${Column} ${1 | 2} ${'state' | 'none'}`;

/** Runs a second, with one process and with two, all of them measured in turns. */
export async function throughput(bench: Bench): Promise<Section> {
  const ms = bench.quick ? 500 : 1500;
  const measures = new Map<Key, () => Promise<number>>();
  for (const [column, kind] of [
    ['state', 'shared'],
    ['jitOff', 'jitOff'],
    ['process', 'process'],
  ] as [Column, EngineKind][]) {
    for (const size of [1, 2] as const) {
      const engine = await bench.engine(kind, size);
      for (const keep of [true, false]) {
        if (column === 'jitOff' && keep) continue;
        const name = column === 'state' && !keep ? 'none' : column;
        measures.set(`${name} ${size} ${keep ? 'state' : 'none'}`, async () => {
          const rate = await engineRate(engine, size, keep, ms);
          if (kind === 'process') await settle(400);
          return rate;
        });
      }
    }
  }
  for (const [column, kind] of [
    ['addon', 'bare'],
    ['vm', 'vm'],
    ['isolated-vm', 'isolated-vm'],
    ['quickjs', 'quickjs'],
  ] as [Column, ChildKind][]) {
    const children = [await bench.child(kind), await bench.child(kind)].filter((child) => child !== null);
    if (children.length < 2) continue;
    for (const size of [1, 2] as const) {
      for (const keep of kind === 'bare' ? [true, false] : [false]) {
        measures.set(`${column} ${size} ${keep ? 'state' : 'none'}`, async () => {
          const rates = await Promise.all(children.slice(0, size).map((child) => child.rate(source, ms, { keep })));
          return rates.reduce((a, b) => a + b);
        });
      }
    }
  }
  const values = await interleave(bench.quick ? 2 : 5, measures);
  return {
    title: 'throughput, runs a second',
    rows: makeRows(values),
    targets: (['state', 'none'] as const).map((kind) => scaling(values, kind)),
    notes: ['ratios: two processes to one; the addon shows what this machine gives'],
  };
}

async function engineRate(engine: Engine, size: number, keepHeap: boolean, ms: number): Promise<number> {
  const heap = keepHeap ? (await complete(engine, { source })).heap : null;
  const start = performance.now();
  let runs = 0;
  const client = async () => {
    for (; performance.now() - start < ms; runs++) await complete(engine, { source, heap, keepHeap, heapMb: 128 });
  };
  await Promise.all(Array.from({ length: 2 * size }, client)); // one runs, one waits
  return (runs * 1000) / (performance.now() - start);
}

function makeRows(values: ReadonlyMap<Key, number[]>): Row[] {
  return (['state', 'none'] as const).flatMap((kind) =>
    ([1, 2] as const).map((size) => {
      const cells: Partial<Record<Column, Cell>> = {};
      for (const [key, own] of values) {
        const [column, ownSize, ownKind] = key.split(' ') as [Column, string, string];
        if (ownSize !== `${size}` || ownKind !== kind) continue;
        const one = values.get(`${column} 1 ${kind}`);
        cells[column] =
          size === 2 && one ? { value: median(own), ratio: pairedRatio(own, one) } : { value: median(own) };
      }
      return { label: `${size} process${size === 2 ? 'es' : ''}, ${kind === 'state' ? 'state' : 'no state'}`, cells };
    }),
  );
}

function scaling(values: ReadonlyMap<Key, number[]>, kind: 'state' | 'none'): Target {
  const [one, two] = [values.get(`${kind} 1 ${kind}`) ?? [], values.get(`${kind} 2 ${kind}`) ?? []];
  const bare = pairedRatio(values.get(`addon 2 ${kind}`) ?? [], values.get(`addon 1 ${kind}`) ?? []);
  const ratio = pairedRatio(two, one);
  const measured = `${figure(median(two))}/s / ${figure(median(one))}/s = ${times(ratio)} (bare addon ${times(bare)})`;
  return {
    label: `two processes to one, ${kind === 'state' ? 'with' : 'without'} state`,
    measured,
    limit: `at least ${limit}x`,
    met: ratio >= limit,
  };
}
