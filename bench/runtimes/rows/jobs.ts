import { settle } from '../../engine/bench.ts';
import { interleave, median, pairedRatio } from '../../engine/statistics.ts';
import { figure, type Target, times } from '../../engine/table.ts';
import type { ServerBench } from '../../server/bench.ts';
import type { RestClient } from '../../server/client.ts';
import { load } from '../../server/load.ts';
import type { ServerRow, ServerSection } from '../../server/table.ts';
import { type BareCommand, runBare } from '../bare-process.ts';
import { JobCommands } from '../job-commands.ts';
import { makeRepository, repoId } from '../repository.ts';

const limit = 1.5;
/** The kernel takes namespaces down after the last process has ended, which is not to be measured with the next peer. */
const teardownMs = 20;
const warmUps = 100;
const programs = {
  true: { runtime: 'shell', code: 'true', printed: '' },
  shell: { runtime: 'shell', code: 'echo ok', printed: 'ok\n' },
  node: { runtime: 'node', code: 'console.log("ok")', printed: 'ok\n' },
  python: { runtime: 'python', code: 'print("ok")', printed: 'ok\n' },
} as const;
const concurrencies = [1, 2, 8] as const;
/** More than there are spare jails: in turns, none of them has one. */
const others = ['a', 'b', 'c', 'd', 'e', 'f'] as const;

type Program = keyof typeof programs;
type Peer = 'bare' | 'bubblewrap' | 'job' | 'first';
type Runs = Readonly<Record<Peer, () => Promise<void>>>;

/** A short job through REST, beside the same command by itself and under bubblewrap with the same mounts. */
export async function jobs(bench: ServerBench): Promise<ServerSection> {
  const { folder, repository } = makeRepository(bench, { maxConcurrentJobs: Math.max(...concurrencies) }, others);
  const { client } = await bench.server([], folder);
  const commands = await JobCommands.open(bench.folder(), repository);
  const rows: ServerRow[] = [];
  const targets: Target[] = [];
  for (const program of Object.keys(programs) as Program[]) {
    const { runtime, code } = programs[program];
    const bare = await commands.of(runtime, code, 'none');
    const jailed = await commands.of(runtime, code, 'bubblewrap');
    const runs = runsOf(client, program, bare, jailed);
    const values = await oneAtATime(runs, bench.quick ? 15 : 60);
    rows.push(...latencyRows(program, values));
    targets.push(targetOf(program, values));
    if (program === 'shell') rows.push(...(await atOnce(runs, bench.quick)));
  }
  await commands.close();
  return {
    title: 'a short job; latencies in ms',
    columns: ['p50', 'least', 'to bare', 'to bwrap', 'jobs/s', 'rate ratio'],
    rows,
    targets,
    notes: [
      'bare: the same executable and environment; bwrap: that with the mounts and namespaces of the jail',
      'both are started as jobs are, and read what is printed; `true` is a shell that prints nothing',
      'job: in the jail that was made when the job before had ended; first: one that has to wait for its jail',
    ],
  };
}

function runsOf(client: RestClient, program: Program, bare: BareCommand, jailed: BareCommand): Runs {
  const { printed, ...request } = programs[program];
  const job = async (name: string) => {
    const given = { repoId: name, ...request };
    const { status, outputBytes, policyDecision } = await client.post('/api/runtime/execute', given);
    if (status === 'success' && outputBytes === printed.length) return;
    throw new Error(`A job ended as ${status}: ${JSON.stringify(policyDecision)}`);
  };
  let turn = 0;
  return {
    bare: () => runBare(bare, printed),
    bubblewrap: () => runBare(jailed, printed),
    job: () => job(repoId),
    first: () => job(others[turn++ % others.length] ?? repoId),
  };
}

type Values = ReadonlyMap<Peer, number[]>;

async function oneAtATime(runs: Runs, rounds: number): Promise<Values> {
  const turn = async (peer: Peer) => {
    await settle(teardownMs);
    return milliseconds(runs[peer]);
  };
  const turns = new Map((Object.keys(runs) as Peer[]).map((peer) => [peer, () => turn(peer)]));
  // A server that has just started is slow; what is compared is one that has run for a while.
  for (let i = 0; i < warmUps; i++) await runs.job();
  return interleave(rounds, turns);
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

const of = (values: Values, peer: Peer): number[] => values.get(peer) ?? [];

function latencyRows(program: Program, values: Values): ServerRow[] {
  const ratio = (peer: Peer, base: Peer) => (peer === base ? null : pairedRatio(of(values, peer), of(values, base)));
  const row = (label: string, peer: Peer, toBubblewrap: number | null): ServerRow => {
    const own = of(values, peer);
    return { label, values: [median(own), Math.min(...own), ratio(peer, 'bare'), toBubblewrap, null, null] };
  };
  return [
    row(`${program}, bare`, 'bare', null),
    row(`${program}, bwrap`, 'bubblewrap', null),
    row(`${program}, job`, 'job', ratio('job', 'bubblewrap')),
    row(`${program}, first job`, 'first', ratio('first', 'bubblewrap')),
  ];
}

function targetOf(program: Program, values: Values): Target {
  const [own, base] = [of(values, 'job'), of(values, 'bubblewrap')];
  const ratio = pairedRatio(own, base);
  return {
    label: `a job of ${program}, to bare bubblewrap`,
    measured: `${figure(median(own))} ms / ${figure(median(base))} ms = ${times(ratio)}`,
    limit: `at most ${limit}x`,
    met: ratio <= limit,
  };
}

async function atOnce(runs: Runs, quick: boolean): Promise<ServerRow[]> {
  const rows: ServerRow[] = [];
  for (const concurrency of concurrencies) {
    const rate = async (peer: Peer) => (await load(concurrency, quick ? 300 : 1000, async () => runs[peer])).rate;
    const peers = ['bubblewrap', 'job'] as const;
    const rates = await interleave(quick ? 3 : 7, new Map(peers.map((peer) => [peer, () => rate(peer)])));
    const [base, own] = [rates.get('bubblewrap') ?? [], rates.get('job') ?? []];
    const row = (name: string, values: number[], ratio: number | null): ServerRow => ({
      label: `shell, ${name}, ${concurrency} at once`,
      values: [null, null, null, null, median(values), ratio],
    });
    rows.push(row('bwrap', base, null), row('job', own, pairedRatio(own, base)));
  }
  return rows;
}
