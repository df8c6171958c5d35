import { median, pairedRatio } from '../../engine/statistics.ts';
import { figure, type Target, times } from '../../engine/table.ts';
import type { ServerBench } from '../bench.ts';
import { makeChain, type Size, sizes } from '../chains.ts';
import { measureRestores, type RestoreTimes } from '../restores.ts';
import type { ServerRow, ServerSection } from '../table.ts';

const limit = 1.5;

/** How long a heap takes to come back from the store, beside the same heap as a plain file. */
export async function restores(bench: ServerBench): Promise<ServerSection> {
  const measured = new Map<Size, RestoreTimes>();
  for (const size of Object.keys(sizes) as Size[]) {
    const folder = bench.folder();
    const { key } = await makeChain(folder, size, 'mixed', 14); // a leaf: as far from its keyframe as heaps are
    measured.set(size, await measureRestores(bench, folder, key));
    await bench.end();
  }
  return {
    title: 'restore from the store, ms',
    columns: ['raw file', 'cached', 'cold', 'cached', 'cold'],
    rows: [...measured].flatMap(([size, all]) => [
      makeRow(`${size}: bytes, hash checked`, all, 'fetch'),
      makeRow(`${size}: bytes and a run of \`1\``, all, 'restore'),
    ]),
    targets: [...measured].flatMap(([size, all]) => [target(size, all, 'cached'), target(size, all, 'cold')]),
    notes: [
      'ratios: to the raw file, round by round',
      'cold: as for the first restore after a start: only what every heap of this engine begins with is in memory; all files are in the kernel',
    ],
  };
}

function makeRow(label: string, all: RestoreTimes, what: 'fetch' | 'restore'): ServerRow {
  const [file = [], ...others] = (['file', 'cached', 'cold'] as const).map((peer) => all.get(`${what} ${peer}`) ?? []);
  const ratios = others.map((own) => pairedRatio(own, file));
  return { label, values: [...[file, ...others].map(median), ...ratios] };
}

function target(size: Size, all: RestoreTimes, peer: 'cached' | 'cold'): Target {
  const [own, base] = [all.get(`restore ${peer}`) ?? [], all.get('restore file') ?? []];
  const ratio = pairedRatio(own, base);
  return {
    label: `restore of ${size}, ${peer}, to a raw file`,
    measured: `${figure(median(own))} ms / ${figure(median(base))} ms = ${times(ratio)}`,
    limit: `at most ${limit}x`,
    met: ratio <= limit,
  };
}
