import { randomUUID } from 'node:crypto';
import { loadBuild } from '../../../src/engine/build.ts';
import { failedEnding } from '../../../src/executions/ending.ts';
import { OutputLog } from '../../../src/executions/output-log.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import type { Store } from '../../../src/store/types.ts';
import { interleave, median, pairedRatio } from '../../engine/statistics.ts';
import { figure, type Target, times } from '../../engine/table.ts';
import type { ServerBench } from '../bench.ts';
import type { RestClient } from '../client.ts';
import { submission } from '../executions.ts';
import { quantile } from '../load.ts';
import type { ServerRow, ServerSection } from '../table.ts';

const lineBytes = 100;
const pageLines = 10;
const sizes = { '1 kB': 1000, '10 MB': 10_000_000, '1 GB': 1_000_000_000 } as const;
const places = ['first', 'middle', 'last'] as const;
const modes = ['line', 'byte'] as const;
const limit = 2;

type Size = keyof typeof sizes;
type Key = `${Size}, ${(typeof modes)[number]} mode, ${(typeof places)[number]} page`;

/** A page of ten lines out of little and much output. */
export async function pages(bench: ServerBench): Promise<ServerSection> {
  const folder = bench.folder();
  const ids = await writeOutputs(folder);
  const { client } = await bench.server([], folder);
  const count = bench.quick ? 40 : 150;
  const tails = new Map<Key, number[]>();
  const turns = new Map<Key, () => Promise<number>>();
  for (const size of Object.keys(sizes) as Size[]) {
    for (const mode of modes) {
      for (const place of places) {
        const path = `/api/executions/${ids.get(size)}/output?${query(sizes[size], mode, place)}`;
        const key: Key = `${size}, ${mode} mode, ${place} page`;
        const all: number[] = [];
        tails.set(key, all);
        turns.set(key, async () => {
          const latencies = await pageTimes(client, path, count);
          all.push(...latencies);
          return median(latencies);
        });
      }
    }
  }
  for (const turn of turns.values()) await turn();
  for (const all of tails.values()) all.length = 0;
  const values = await interleave(bench.quick ? 3 : 7, turns);
  const row = (key: Key): ServerRow => {
    const all = tails.get(key) ?? [];
    const base = values.get(small(key)) ?? [];
    const own = [0.5, 0.95, 0.99].map((share) => quantile(all, share));
    return { label: key, values: [...own, key === small(key) ? null : pairedRatio(values.get(key) ?? [], base)] };
  };
  return {
    title: 'a page of 10 lines (1 kB) of output, ms',
    columns: ['p50', 'p95', 'p99', 'to 1 kB'],
    rows: [...values.keys()].map(row),
    targets: modes.flatMap((mode) => places.map((place) => target(values, `1 GB, ${mode} mode, ${place} page`))),
    notes: ['the outputs were put into the store by the log that a run writes to, without the run'],
  };
}

const small = (key: Key): Key => key.replace(/^[^,]+/, '1 kB').replace(/\w+ page/, 'first page') as Key;

async function writeOutputs(folder: string): Promise<Map<Size, string>> {
  const store = await openSqliteStore({ folder, codec: loadBuild().addon });
  const ids = new Map<Size, string>();
  for (const size of Object.keys(sizes) as Size[]) ids.set(size, await writeOutput(store, sizes[size]));
  await store.close();
  return ids;
}

async function writeOutput(store: Store, bytes: number): Promise<string> {
  const id = randomUUID();
  await store.executions.add(submission(id), true);
  const piece = Buffer.from(`${'x'.repeat(lineBytes - 1)}\n`.repeat(Math.min(bytes, 1_000_000) / lineBytes));
  for (const log = new OutputLog(id, store.output); log.bytes < bytes; ) {
    log.append(piece);
    await log.drain();
  }
  await store.executions.finish(id, failedEnding('failed', 'of the benchmark'));
  return id;
}

function query(bytes: number, mode: 'line' | 'byte', place: (typeof places)[number]): string {
  const lines = bytes / lineBytes;
  const line = { first: 1, middle: Math.ceil(lines / 2), last: lines - pageLines + 1 }[place];
  return mode === 'line'
    ? `line_offset=${line}&line_limit=${pageLines}`
    : `byte_offset=${(line - 1) * lineBytes}&byte_limit=${pageLines * lineBytes}`;
}

async function pageTimes(client: RestClient, path: string, count: number): Promise<number[]> {
  const latencies: number[] = [];
  for (let i = 0; i < count; i++) {
    const begun = performance.now();
    const { data } = await client.get(path);
    latencies.push(performance.now() - begun);
    if (typeof data !== 'string' || data.length < (pageLines * lineBytes) / 2) throw new Error(`${path} is no page`);
  }
  return latencies;
}

function target(values: ReadonlyMap<Key, number[]>, key: Key): Target {
  const [own, base] = [values.get(key) ?? [], values.get(small(key)) ?? []];
  const ratio = pairedRatio(own, base);
  const measured = `${figure(median(own))} ms / ${figure(median(base))} ms = ${times(ratio)}`;
  return { label: `${key}, to 1 kB`, measured, limit: `at most ${limit}x`, met: ratio <= limit };
}
