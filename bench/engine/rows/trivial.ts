import { type Bench, type Measures, makeHeap, measureRow, settle, wallTime } from '../bench.ts';
import { median, pairedRatio } from '../statistics.ts';
import { figure, type Section, type Target, times } from '../table.ts';

const source = '1';
const limits = { state: 1.3, none: 2 };

/** A run of nothing: from the call to the answer, and, with state, to the new heap. */
export async function trivial(bench: Bench): Promise<Section> {
  const [shared, jitOff, own] = [
    await bench.engine('shared'),
    await bench.engine('jitOff'),
    await bench.engine('process'),
  ];
  const rounds = bench.quick ? 8 : 25;
  const count = 10;
  const bare = await bench.child('bare');
  if (!bare) throw new Error(`The addon's bare run does not work: ${bench.missing.get('bare')}`);

  const heap = await makeHeap(shared, 'var kept = 1');
  const file = bench.heapFile('small.heap', heap);

  const measures = (keepHeap: boolean): Measures => ({
    addon: async () => median(await bare.repeat(source, count, { heap: file, keep: keepHeap })),
    [keepHeap ? 'state' : 'none']: () => wallTime(shared, { source, heap: keepHeap ? heap : null, keepHeap }, count),
    jitOff: () => wallTime(jitOff, { source, heap: keepHeap ? heap : null, keepHeap }, count),
    process: async () => {
      const ms = await wallTime(own, { source, heap: keepHeap ? heap : null, keepHeap });
      await settle();
      return ms;
    },
  });
  const withState = await measureRow('1, with state', rounds, 'addon', measures(true));
  const peers: Measures = {};
  for (const name of ['vm', 'isolated-vm', 'quickjs'] as const) {
    const peer = await bench.child(name);
    if (peer) peers[name] = async () => median(await peer.repeat(source, count));
  }
  const without = await measureRow('1, without state', rounds, 'addon', { ...measures(false), ...peers });

  const target = (kind: 'state' | 'none', values: Map<string, number[]>, label: string): Target => {
    const [mine, base] = [values.get(kind) ?? [], values.get('addon') ?? []];
    const ratio = pairedRatio(mine, base);
    const measured = `${figure(median(mine))} ms / ${figure(median(base))} ms = ${times(ratio)}`;
    return { label, measured, limit: `at most ${limits[kind]}x`, met: ratio <= limits[kind] };
  };
  return {
    title: 'trivial run, ms',
    rows: [withState.row, without.row],
    targets: [
      target('state', withState.values, 'trivial run with state, to restore + snapshot'),
      target('none', without.values, 'trivial run without state, to restore + run'),
    ],
    notes: [
      'call to outcome, a new isolate or context each; ratios to the bare addon; with state a heap goes both ways',
    ],
  };
}
