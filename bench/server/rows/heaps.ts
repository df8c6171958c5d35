import { median, pairedRatio } from '../../engine/statistics.ts';
import { figure, type Target, times } from '../../engine/table.ts';
import type { ServerBench } from '../bench.ts';
import { completeRest, RestClient, textOf } from '../client.ts';
import { quantile } from '../load.ts';
import { measureRestores, type RestoreTimes } from '../restores.ts';
import { startServed } from '../served.ts';
import type { ServerSection } from '../table.ts';

/** An empty heap has 0.5 MB; of the items there is one for each 70 bytes. */
const sizes = [
  { name: '0.5 MB', items: 100, mostBytes: 1024 },
  { name: '10 MB', items: 135_000, mostBytes: 4096 },
] as const;
const mostSlower = 1.5;

/** What an agent does between two thoughts; `I` is the number of the step. */
const changes = [
  'state.n++',
  'items[I].price = I * 3.25',
  'log.push({ at: I, text: "entry " + I })',
  'state.last = "step " + I',
  'var found = items.filter((item) => item.id < I).length',
];

interface Stored {
  readonly name: string;
  readonly raw: number;
  readonly bytes: readonly number[];
  readonly restores: RestoreTimes;
}

/** What small changes cost on disk, and how long their heaps take to come back. */
export async function heaps(bench: ServerBench): Promise<ServerSection> {
  const stored: Stored[] = [];
  for (const { name, items } of sizes) {
    stored.push(await measure(bench, name, items));
    await bench.end();
  }
  const restoreRow = ({ name, restores }: Stored, label: string, of: 'fetch' | 'restore') => {
    const cell = (peer: 'file' | 'cached' | 'cold') => restores.get(`${of} ${peer}`) ?? [];
    const [file, cached, cold] = [cell('file'), cell('cached'), cell('cold')];
    const ratios = [pairedRatio(cached, file), pairedRatio(cold, file)];
    return { label: `${name}: ${label}`, values: [median(file), median(cached), median(cold), ...ratios] };
  };
  return {
    title: 'heaps over 100 small changes',
    columns: ['raw file, ms', 'cached, ms', 'cold, ms', 'cached', 'cold'],
    rows: stored.flatMap((one) => [
      restoreRow(one, 'bytes, hash checked', 'fetch'),
      restoreRow(one, 'bytes and a run of `1`', 'restore'),
    ]),
    targets: stored.flatMap((one, index) => [bytesTarget(one, sizes[index]?.mostBytes ?? 0), restoreTarget(one)]),
    notes: stored.map(({ name, raw, bytes }) => {
      const [least, p50, p95, most] = [0, 0.5, 0.95, 1].map((share) => quantile(bytes, share));
      return `${name} (raw ${figure(raw / 1e6)} MB): bytes stored least ${least}, p50 ${p50}, p95 ${p95}, most ${most}`;
    }),
  };
}

async function measure(bench: ServerBench, name: string, items: number): Promise<Stored> {
  const folder = bench.folder();
  const served = await startServed(folder, ['--max-concurrent-executions', '1']);
  const client = new RestClient(served.url);
  const make = `var state = { n: 0 }, log = [], items = Array.from({ length: ${items} }, (_, id) => ({ id, name: "item " + id, price: id * 1.5 }))`;
  let heap = textOf(await completeRest(client, { code: `${make}; 0` }), 'heap');
  const bytes: number[] = [];
  let raw = 0;
  for (let step = 0; step < 100; step++) {
    const code = (changes[step % changes.length] ?? '').replaceAll('I', `${step}`);
    heap = textOf(await completeRest(client, { code, heap }), 'heap');
    const info = await client.get(`/api/heaps/${heap}`);
    bytes.push(Number(info.stored_bytes));
    raw = Number(info.bytes);
  }
  client.close();
  await served.stop();
  return { name, raw, bytes, restores: await measureRestores(bench, folder, heap) };
}

function bytesTarget({ name, bytes }: Stored, mostBytes: number): Target {
  const value = median(bytes);
  const limit = `at most ${mostBytes / 1024} kB`;
  return { label: `a small change on ${name}, median`, measured: `${figure(value)} B`, limit, met: value <= mostBytes };
}

function restoreTarget({ name, restores }: Stored): Target {
  const [own, base] = [restores.get('restore cold') ?? [], restores.get('restore file') ?? []];
  const ratio = pairedRatio(own, base);
  const measured = `${figure(median(own))} ms / ${figure(median(base))} ms = ${times(ratio)}`;
  const label = `restore of ${name}, cold, to an uncompressed heap`;
  return { label, measured, limit: `at most ${mostSlower}x`, met: ratio <= mostSlower };
}
