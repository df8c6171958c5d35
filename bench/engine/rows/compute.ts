import { type Bench, complete, type Measures, measureRow, settle } from '../bench.ts';
import type { ChildPeer } from '../child-peer.ts';
import { suite } from '../more-programs.ts';
import { type Program, programText } from '../programs.ts';
import { geometricMean } from '../statistics.ts';
import { type Cell, type Column, columns, type Row, type Section, times } from '../table.ts';

const quickjsShare = 0.1;
const limit = 1.3;

/** Time of compile and run inside one run, without what surrounds it. */
export async function compute(bench: Bench): Promise<Section> {
  const [shared, jitOff, own] = [
    await bench.engine('shared'),
    await bench.engine('jitOff'),
    await bench.engine('process'),
  ];
  const peers = {
    vm: await bench.child('vm'),
    'isolated-vm': await bench.child('isolated-vm'),
    quickjs: await bench.child('quickjs'),
  };
  const { heap } = await complete(shared, { source: 'var kept = 1' });
  const rows: Row[] = [];
  const scaled = suite.flatMap(({ name, divisible }) => (divisible ? name : [])).join(', ');
  const notes = [
    'compile and run; ratios to Node vm, which has an ordinary global: a contextified one is up to 26 times slower',
    `quickjs does ${quickjsShare} of the rounds, times ${1 / quickjsShare}, in ${scaled}`,
  ];
  let mark = 0;

  for (const program of suite) {
    const texts = new Set<string>();
    const cay = async (engine: typeof shared, keepHeap: boolean) => {
      const { times, value } = await complete(engine, { source: programText(program, 1, `${mark++}`), heap, keepHeap });
      texts.add(value.text);
      return times.run;
    };
    const measures: Measures = {
      state: () => cay(shared, true),
      none: () => cay(shared, false),
      jitOff: () => cay(jitOff, true),
      process: async () => {
        const ms = await cay(own, true);
        await settle();
        return ms;
      },
    };
    for (const [name, peer] of Object.entries(peers) as [keyof typeof peers, ChildPeer | null][]) {
      if (peer)
        measures[name] = () =>
          childTime(peer, program, name === 'quickjs' && program.divisible ? quickjsShare : 1, `${mark++}`, texts);
    }
    const { row } = await measureRow(program.name, bench.quick ? 3 : 7, 'vm', measures);
    rows.push(row);
    if (texts.size > 1) notes.push(`${program.name}: the peers disagree on its value: ${[...texts].join(', ')}`);
  }

  const mean = meanRow(rows);
  const ratio = mean.cells.state?.value ?? Number.NaN;
  const target = {
    label: 'compute suite with state, to Node vm',
    measured: times(ratio),
    limit: `at most ${limit}x`,
    met: ratio <= limit,
  };
  return { title: 'compute suite, ms', rows: [...rows, mean], targets: [target], notes };
}

async function childTime(
  peer: ChildPeer,
  program: Program,
  share: number,
  mark: string,
  texts: Set<string>,
): Promise<number> {
  const { code, text } = await peer.run(programText(program, share, mark));
  if (share === 1) texts.add(text);
  return code / share;
}

function meanRow(rows: readonly Row[]): Row {
  const cells: Partial<Record<Column, Cell>> = {};
  for (const column of Object.keys(columns) as Column[]) {
    const ratios = rows.flatMap(({ cells }) => cells[column]?.ratio ?? []);
    if (ratios.length === rows.length) cells[column] = { value: geometricMean(ratios) };
  }
  return { label: 'geometric mean, x', cells };
}
