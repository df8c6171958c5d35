import { interleave, median, pairedRatio } from '../../engine/statistics.ts';
import { figure, type Target, times } from '../../engine/table.ts';
import type { ServerBench } from '../bench.ts';
import { type LoadFigures, load } from '../load.ts';
import { engineCallers, mcpCallers, restCallers, type State } from '../peers.ts';
import type { ServerRow, ServerSection } from '../table.ts';

const concurrencies = [1, 16, 64] as const;
const states = ['stateful', 'stateless'] as const;
const isolations = ['shared', 'process'] as const;
/** As many as the server's own default on this machine would be misleading: both get two. */
const size = 2;
/** More where there are targets: machines are shared, and a round may fall into somebody else's work. */
const fullRounds = { shared: 9, process: 3 } as const;
const leastShare = 0.8;
const mostLatency = 1.5;

interface Measured {
  readonly row: string;
  readonly peer: 'engine' | 'REST' | 'MCP';
  readonly rounds: LoadFigures[];
}

/** Runs through HTTP beside the engine's own, in turns. */
export async function throughput(bench: ServerBench): Promise<ServerSection> {
  const measured: Measured[] = [];
  for (const isolation of isolations) {
    for (const state of states) {
      measured.push(...(await measure(bench, isolation, state)));
      await bench.end();
    }
  }
  return {
    title: 'runs through HTTP and in the engine itself; latencies in ms',
    columns: ['runs/s', 'p50', 'p95', 'p99', 'rate ratio', 'p50 ratio'],
    rows: measured.map((one) => makeRow(one, engineOf(measured, one.row))),
    targets: states.flatMap((state) => targets(measured, state)),
    notes: [
      'ratios: to the engine in the same row, round by round; the clients run on the same cores',
      'stateful: each client adds 1 to a variable in the heap of its last run; stateless: `1`, --stateless',
    ],
  };
}

async function measure(bench: ServerBench, isolation: (typeof isolations)[number], state: State): Promise<Measured[]> {
  const engine = await bench.engines.engine(isolation, size);
  const args = ['--isolation', isolation, '--max-concurrent-executions', `${size}`];
  const { served, client } = await bench.server(state === 'stateless' ? [...args, '--stateless'] : args);
  const peers = {
    engine: engineCallers(engine, state),
    REST: restCallers(client, state),
    MCP: mcpCallers(served.url, state),
  };
  const ms = bench.quick ? 500 : 1500;
  const measured: Measured[] = [];
  for (const concurrency of concurrencies) {
    const row = rowName(isolation, state, concurrency);
    const names = concurrency === 64 ? (['engine', 'REST'] as const) : (['engine', 'REST', 'MCP'] as const);
    const figures = names.map((peer): Measured => ({ row, peer, rounds: [] }));
    const turns = new Map(
      figures.map(({ peer, rounds }) => [
        peer,
        async () => {
          const round = await load(concurrency, ms, peers[peer].make);
          rounds.push(round);
          return round.rate;
        },
      ]),
    );
    // A server that has just started is slow; what is compared is one that has run for a while.
    for (const { peer } of figures) await load(concurrency, bench.quick ? 500 : 1000, peers[peer].make);
    await interleave(bench.quick ? 2 : fullRounds[isolation], turns);
    measured.push(...figures);
  }
  await peers.MCP.close();
  return measured;
}

const rowName = (isolation: string, state: string, concurrency: number) =>
  `${isolation}, ${state}, ${concurrency} at once`;

function engineOf(measured: readonly Measured[], row: string): readonly LoadFigures[] {
  return measured.find((one) => one.row === row && one.peer === 'engine')?.rounds ?? [];
}

function ratio(name: keyof LoadFigures, own: readonly LoadFigures[], base: readonly LoadFigures[]): number {
  const values = (rounds: readonly LoadFigures[]) => rounds.map((round) => round[name]);
  return pairedRatio(values(own), values(base));
}

function makeRow({ row, peer, rounds }: Measured, base: readonly LoadFigures[]): ServerRow {
  const own = (['rate', 'p50', 'p95', 'p99'] as const).map((name) => median(rounds.map((round) => round[name])));
  const ratios = peer === 'engine' ? [null, null] : [ratio('rate', rounds, base), ratio('p50', rounds, base)];
  return { label: peer === 'engine' ? row : `  ${peer}`, values: [...own, ...ratios] };
}

function targets(measured: readonly Measured[], state: State): Target[] {
  const make = (concurrency: number, peer: string, name: 'rate' | 'p50', unit: string, label: string): Target => {
    const row = rowName('shared', state, concurrency);
    const [own, base] = [
      measured.find((one) => one.row === row && one.peer === peer)?.rounds ?? [],
      engineOf(measured, row),
    ];
    const value = ratio(name, own, base);
    const text = (rounds: readonly LoadFigures[]) => `${figure(median(rounds.map((round) => round[name])))}${unit}`;
    return {
      label,
      measured: `${text(own)} / ${text(base)} = ${times(value)}`,
      limit: name === 'rate' ? `at least ${leastShare}x` : `at most ${mostLatency}x`,
      met: name === 'rate' ? value >= leastShare : value <= mostLatency,
    };
  };
  return [
    make(16, 'REST', 'rate', '/s', `${state}, 16 at once, to the engine`),
    make(1, 'REST', 'p50', ' ms', `${state}, one at a time, to the engine`),
  ];
}
