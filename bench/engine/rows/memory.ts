import { readFileSync } from 'node:fs';
import type { EngineOptions } from '../../../src/engine/engine.ts';
import { type Bench, complete, type EngineKind, settle } from '../bench.ts';
import { type Cell, type Column, figure, type Section, type Target } from '../table.ts';
import { recordsSource } from './state.ts';

const limit = 15;
const runs = 100;
/** Until it counts as idle. */
const idleMs = 8000;

/** Memory that an idle process has for itself: private pages, clean and written. */
export async function memory(bench: Bench): Promise<Section> {
  const fresh: Partial<Record<Column, Cell>> = {};
  const large: Partial<Record<Column, Cell>> = {};
  const used: Partial<Record<Column, Cell>> = {};
  const measured = [
    ['state', 'shared', true],
    ['none', 'shared', false],
    ['jitOff', 'jitOff', true],
  ] as [Column, EngineKind, boolean][];
  for (const [column, kind, keepHeap] of measured) {
    const engine = await bench.engine(kind, 1, { spares: 1 } satisfies EngineOptions);
    const before = engine.processIds.map((pid) => ownMemory(pid));
    fresh[column] = { value: Math.min(...before) }; // one of the two has run, the spare has not
    for (let i = 0, heap = null as Uint8Array | null; i < runs; i++) {
      heap = (await complete(engine, { source: '1', heap, keepHeap, heapMb: 128 })).heap;
    }
    await settle();
    used[column] = { value: Math.max(...engine.processIds.map((pid) => ownMemory(pid))) };
    for (let i = 0; i < 3; i++) await complete(engine, { source: recordsSource(30e6), keepHeap, heapMb: 128 });
    await settle(idleMs);
    large[column] = { value: Math.max(...engine.processIds.map((pid) => ownMemory(pid))) };
  }
  const own = await bench.engine('process');
  fresh.process = { value: Math.max(...own.processIds.map((pid) => ownMemory(pid))) };
  for (const [column, kind] of [
    ['addon', 'bare'],
    ['vm', 'vm'],
    ['isolated-vm', 'isolated-vm'],
    ['quickjs', 'quickjs'],
  ] as const) {
    const child = await bench.child(kind);
    if (!child) continue;
    fresh[column] = { value: ownMemory(child.pid) };
    await child.repeat('1', runs, { keep: kind === 'bare' });
    await settle();
    used[column] = { value: ownMemory(child.pid) };
  }
  const target = (label: string, cells: typeof fresh): Target => {
    const value = Math.max(cells.state?.value ?? Number.NaN, cells.none?.value ?? Number.NaN);
    return { label, measured: `${figure(value)} MB`, limit: `at most ${limit} MB`, met: value <= limit };
  };
  return {
    title: 'memory of an idle process, MB',
    rows: [
      { label: 'started and warm', cells: fresh },
      { label: `after ${runs} runs of 1`, cells: used },
      { label: 'idle after 3 of 30 MB', cells: large },
    ],
    targets: [
      target('idle process, started and warm', fresh),
      target(`idle process, after ${runs} runs of 1`, used),
      target('idle process, after 3 runs of 30 MB', large),
    ],
    notes: ['Private_Clean + Private_Dirty'],
  };
}

function ownMemory(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kilobytes = [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gm)].map((match) => Number(match[1]));
  return kilobytes.reduce((a, b) => a + b, 0) / 1024;
}
