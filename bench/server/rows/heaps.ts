import { median } from '../../engine/statistics.ts';
import { figure, type Target } from '../../engine/table.ts';
import type { ServerBench } from '../bench.ts';
import { type Chain, type Change, changes, makeChain, type Size, sizes } from '../chains.ts';
import { quantile } from '../load.ts';
import type { ServerRow, ServerSection } from '../table.ts';

const mostBytes: Record<Size, number> = { '0.5 MB': 1024, '10 MB': 4096 };

/** What small changes cost on disk. */
export async function heaps(bench: ServerBench): Promise<ServerSection> {
  const steps = bench.quick ? 25 : 100;
  const rows: ServerRow[] = [];
  const targets: Target[] = [];
  for (const size of Object.keys(sizes) as Size[]) {
    for (const change of Object.keys(changes) as Change[]) {
      const chain = await makeChain(bench.folder(), size, change, steps);
      await bench.end();
      rows.push(makeRow(`${size}, ${change}`, chain));
      targets.push(target(size, change, median(chain.storedBytes)));
    }
  }
  return {
    title: `bytes on disk of each heap, over ${steps} small changes`,
    columns: ['least', 'p50', 'p95', 'most', 'mean', 'raw, MB'],
    rows,
    targets,
    notes: [],
  };
}

function makeRow(label: string, { storedBytes, rawBytes }: Chain): ServerRow {
  const mean = storedBytes.reduce((sum, bytes) => sum + bytes, 0) / storedBytes.length;
  const own = [0, 0.5, 0.95, 1].map((share) => quantile(storedBytes, share));
  return { label, values: [...own, mean, rawBytes / 1e6] };
}

function target(size: Size, change: Change, bytes: number): Target {
  const most = mostBytes[size];
  return {
    label: `a small change on ${size} (${change}), median`,
    measured: `${figure(bytes)} B`,
    limit: `at most ${most / 1024} kB`,
    met: bytes <= most,
  };
}
