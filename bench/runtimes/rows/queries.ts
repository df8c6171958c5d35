import { interleave, median } from '../../engine/statistics.ts';
import { figure, type Target } from '../../engine/table.ts';
import type { ServerBench } from '../../server/bench.ts';
import type { RestClient } from '../../server/client.ts';
import type { ServerSection } from '../../server/table.ts';
import { fillWithOutputs } from '../outputs.ts';
import { peakDuring } from '../peak-memory.ts';

const line = `${'ok 1234 - takes what it is given and gives it back (0.123 ms)'.padEnd(99)}\n`;
const outputs = {
  '1 kB': { bytes: 1000, line },
  '10 MB': { bytes: 10_000_000, line },
  '1 GB': { bytes: 1_000_000_000, line },
  '1 GB in one line': { bytes: 1_000_000_000, line: 'z'.repeat(100) },
} as const;
const searches = {
  '1 term, nowhere': ['not ok'],
  '10 terms, nowhere': [
    'not ok',
    'fail',
    'error',
    'warning',
    'cannot',
    'missing',
    'denied',
    'exception',
    'panic',
    'abort',
  ],
  'in every line': ['gives', 'z'],
} as const;
const limitMb = 64;

type Size = keyof typeof outputs;
type SearchName = keyof typeof searches;
type Key = `${Size}, ${SearchName}`;

const keys: readonly Key[] = (Object.keys(outputs) as Size[]).flatMap((size) =>
  (Object.keys(searches) as SearchName[]).map((search): Key => `${size}, ${search}`),
);

/** A query over little and much output, through REST. All of it is read when the terms are nowhere in it. */
export async function queries(bench: ServerBench): Promise<ServerSection> {
  const folder = bench.folder();
  const handles = await fillWithOutputs(folder, outputs);
  const run = (client: RestClient, key: Key) => query(client, handles.get(sizeOf(key)) ?? '', searches[searchOf(key)]);
  const peaks = new Map<Key, number>();
  for (const key of keys) {
    const { served, client } = await bench.server([], folder);
    await run(client, '1 kB, 1 term, nowhere');
    peaks.set(key, await peakDuring(served.pid, () => run(client, key)));
    client.close();
    await served.stop();
  }
  const { client } = await bench.server([], folder);
  const turns = new Map(keys.map((key) => [key, () => milliseconds(() => run(client, key))]));
  for (const key of keys) if (sizeOf(key) !== '1 GB') await run(client, key);
  const values = await interleave(bench.quick ? 1 : 5, turns);
  const peak = (key: Key) => peaks.get(key) ?? Number.NaN;
  return {
    title: 'a query over the output of a job',
    columns: ['ms', 'MB/s', 'peak MB'],
    rows: [...values].map(([key, times]) => {
      const { bytes } = outputs[sizeOf(key)];
      return { label: key, values: [median(times), bytes / 1000 / median(times), peak(key)] };
    }),
    targets: keys.filter((key) => key.startsWith('1 GB')).map((key) => target(key, peak(key))),
    notes: ['peak: how much more a server that had just started had at most than before the query'],
  };
}

const sizeOf = (key: Key): Size => key.slice(0, key.indexOf(',')) as Size;
const searchOf = (key: Key): SearchName => key.slice(key.indexOf(',') + 2) as SearchName;

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

async function query(client: RestClient, artifactHandle: string, queryTerms: readonly string[]): Promise<void> {
  const { excerpts } = await client.post('/api/runtime/query-output', { artifactHandle, queryTerms, maxExcerpts: 100 });
  if (!Array.isArray(excerpts) || excerpts.length > 1) throw new Error(`Expected one excerpt at most, got ${excerpts}`);
}

function target(key: Key, peakMb: number): Target {
  const measured = `${figure(peakMb)} MB`;
  return { label: `${key}, memory`, measured, limit: `at most ${limitMb} MB`, met: peakMb <= limitMb };
}
