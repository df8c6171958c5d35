import { Engine } from '../../../src/engine/engine.ts';
import { type Bench, complete, measureRow, settle, wallTime } from '../bench.ts';
import { median } from '../statistics.ts';
import { figure, type Section } from '../table.ts';

/** What the run after a killed one waits for: a spare is there, so not for a process. */
export async function kill(bench: Bench): Promise<Section> {
  const engine = await bench.engine('shared');
  const rounds = bench.quick ? 4 : 12;
  const request = { source: '1', keepHeap: false };
  const normal = await measureRow('a normal run', rounds, null, { none: () => wallTime(engine, request) });
  const after = await measureRow('the run after a kill', rounds, null, {
    none: async () => {
      const killed = await engine.run({ source: 'for (;;) {}', timeoutMs: 30, keepHeap: false });
      if (killed.kind !== 'timed_out') throw new Error(`An endless loop ended as ${killed.kind}`);
      const ms = await wallTime(engine, request);
      await settle(300);
      return ms;
    },
  });
  const start = await measureRow('with a process start', rounds, null, {
    none: async () => {
      const cold = new Engine({ size: 1, spares: 0 });
      const begin = performance.now();
      await complete(cold, request);
      const ms = performance.now() - begin;
      await cold.close();
      return ms;
    },
  });
  const [usual, late, cold] = [normal, after, start].map(({ values }) => median(values.get('none') ?? [])) as [
    number,
    number,
    number,
  ];
  const measured = `${figure(late)} ms; a normal run ${figure(usual)} ms, with a start ${figure(cold)} ms`;
  return {
    title: 'after a kill, ms',
    rows: [normal.row, after.row, start.row],
    targets: [
      {
        label: 'the run after a kill waits for no start',
        measured,
        limit: 'nearer the first',
        met: late - usual < (cold - usual) / 2,
      },
    ],
    notes: [],
  };
}
