import { interleave, median, pairedRatio } from '../../engine/statistics.ts';
import { figure, times } from '../../engine/table.ts';
import type { ServerBench } from '../bench.ts';
import { fillFolder } from '../executions.ts';
import { startServed } from '../served.ts';
import type { ServerSection } from '../table.ts';

const limit = 2;

/** From the start of the process to the first answer of /health, on an empty data folder and on a full one. */
export async function start(bench: ServerBench): Promise<ServerSection> {
  const count = bench.quick ? 10_000 : 100_000;
  const [none, many] = [bench.folder(), bench.folder()];
  await fillFolder(none, 0);
  await fillFolder(many, count);
  const started = async (folder: string) => {
    const served = await startServed(folder);
    await served.stop();
    return served.startMs;
  };
  const turns = new Map([
    ['none', () => started(none)],
    ['many', () => started(many)],
  ]);
  const values = await interleave(bench.quick ? 3 : 9, turns);
  const [own, base] = [values.get('many') ?? [], values.get('none') ?? []];
  const ratio = pairedRatio(own, base);
  const name = `${count.toLocaleString('en')} executions on disk`;
  return {
    title: 'start to the first /health, ms',
    columns: ['p50', 'least', 'to none'],
    rows: [
      { label: 'no executions on disk', values: [median(base), Math.min(...base), null] },
      { label: name, values: [median(own), Math.min(...own), ratio] },
    ],
    targets: [
      {
        label: `start with ${name}`,
        measured: `${figure(median(own))} ms / ${figure(median(base))} ms = ${times(ratio)}`,
        limit: `at most ${limit}x`,
        met: ratio <= limit,
      },
    ],
    notes: [],
  };
}
