import { interleave, median, pairedRatio } from '../../engine/statistics.ts';
import { figure, times } from '../../engine/table.ts';
import type { ServerBench } from '../../server/bench.ts';
import type { ServerSection } from '../../server/table.ts';
import { milliseconds, openShop } from '../shop-clients.ts';

const limits = { call: 1.5, parallel: 3 };

/** One call after the other, and a hundred at once, beside the official client's own. */
export async function calls(bench: ServerBench): Promise<ServerSection> {
  const shop = await openShop(bench);
  const count = bench.quick ? 100 : 400;
  const perCall = async (code: string) => Number(await shop.run(code)) / count;
  const timed = (work: string) => `const began = Date.now(); ${work}; Date.now() - began`;
  const id = "{ id: 'order-' + (i % 40) }";
  const sequential = await interleave(
    bench.quick ? 4 : 10,
    new Map([
      ['direct', () => milliseconds(() => directCalls(count)).then((ms) => ms / count)],
      ['call_tool', () => perCall(timed(`for (let i = 0; i < ${count}; i++) call_tool('shop', 'get_order', ${id})`))],
      ['tools', () => perCall(timed(`for (let i = 0; i < ${count}; i++) await tools.shop.get_order(${id})`))],
    ]),
  );
  const waits = 'Array.from({ length: 100 }, () => 0)';
  const parallel = await interleave(
    bench.quick ? 4 : 10,
    new Map([
      ['one', async () => Number(await shop.run(timed('await tools.shop.wait({ ms: 20 })')))],
      [
        'tools',
        async () => Number(await shop.run(timed(`await Promise.all(${waits}.map(() => tools.shop.wait({ ms: 20 })))`))),
      ],
      [
        'call_tools',
        async () =>
          Number(
            await shop.run(
              timed(
                `call_tools(${waits}.map(() => ({ server: 'shop', tool: 'wait', args: { ms: 20 } })), { max_parallel: 100 })`,
              ),
            ),
          ),
      ],
    ]),
  );
  await shop.close();

  async function directCalls(total: number): Promise<void> {
    for (let i = 0; i < total; i++)
      await shop.direct.callTool({ name: 'get_order', arguments: { id: `order-${i % 40}` } });
  }

  const row = (label: string, values: readonly number[], base: readonly number[]) => ({
    label,
    values: [median(values), Math.min(...values), values === base ? null : pairedRatio(values, base)],
  });
  const of = <Name extends string>(values: ReadonlyMap<Name, number[]>, name: Name) => values.get(name) ?? [];
  const [direct, one] = [of(sequential, 'direct'), of(parallel, 'one')];
  const target = (label: string, values: readonly number[], base: readonly number[], limit: number) => {
    const ratio = pairedRatio(values, base);
    const measured = `${figure(median(values))} ms / ${figure(median(base))} ms = ${times(ratio)}`;
    return { label, measured, limit: `at most ${limit}x`, met: ratio <= limit };
  };
  return {
    title: 'a tool call, ms',
    columns: ['p50', 'least', 'ratio'],
    rows: [
      row('the official client, direct', direct, direct),
      row('  call_tool', of(sequential, 'call_tool'), direct),
      row('  tools', of(sequential, 'tools'), direct),
      row('one call that takes 20 ms', one, one),
      row('  100 of them at once, tools', of(parallel, 'tools'), one),
      row('  100 of them, call_tools', of(parallel, 'call_tools'), one),
    ],
    targets: [
      target('call_tool, to a direct call', of(sequential, 'call_tool'), direct, limits.call),
      target('100 calls of 20 ms through tools, to one', of(parallel, 'tools'), one, limits.parallel),
    ],
    notes: ['calls one after the other return an order of 1.3 kB'],
  };
}
