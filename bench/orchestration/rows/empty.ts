import { interleave, median, pairedRatio } from '../../engine/statistics.ts';
import { figure, times } from '../../engine/table.ts';
import type { ServerBench } from '../../server/bench.ts';
import type { ServerSection } from '../../server/table.ts';
import { httpClient, milliseconds, openShop } from '../shop-clients.ts';

const limit = 1.5;

/** What a code_execution costs that does nothing, beside a run_js that keeps nothing; both through MCP. */
export async function empty(bench: ServerBench): Promise<ServerSection> {
  const shop = await openShop(bench);
  const { served } = await bench.server(['--stateless']);
  const stateless = await httpClient(served.url);
  const args = { code: '1' };
  const peers = new Map([
    ['run_js', () => milliseconds(() => stateless.callTool({ name: 'run_js', arguments: args }))],
    ['code_execution', () => milliseconds(() => shop.cay.callTool({ name: 'code_execution', arguments: args }))],
  ]);
  await interleave(30, peers); // what has just started is slow
  const values = await interleave(bench.quick ? 100 : 500, peers);
  await Promise.all([shop.close(), stateless.close()]);
  const [own, base] = [values.get('code_execution') ?? [], values.get('run_js') ?? []];
  const ratio = median(own) / median(base);
  return {
    title: 'an empty run through MCP, ms',
    columns: ['p50', 'least', 'ratio'],
    rows: [
      { label: 'run_js, --stateless', values: [median(base), Math.min(...base), null] },
      { label: 'code_execution', values: [median(own), Math.min(...own), pairedRatio(own, base)] },
    ],
    targets: [
      {
        label: 'an empty code_execution, to a stateless run_js',
        measured: `${figure(median(own))} ms / ${figure(median(base))} ms = ${times(ratio)}`,
        limit: `at most ${limit}x`,
        met: ratio <= limit,
      },
    ],
    notes: [],
  };
}
