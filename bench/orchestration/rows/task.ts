import type { CallToolResult } from '@modelcontextprotocol/client';
import { countTokens } from 'gpt-tokenizer';
import { interleave, median } from '../../engine/statistics.ts';
import type { ServerBench } from '../../server/bench.ts';
import type { ServerSection } from '../../server/table.ts';
import { milliseconds, openShop } from '../shop-clients.ts';

const share = 0.05;
const orders = 40;

/** As a model would write it. */
const script = `const totals = {};
for (let i = 1; i <= ${orders}; i++) {
  const { ok, result, error } = call_tool('shop', 'get_order', { id: 'order-' + i });
  if (!ok) throw new Error(error.message);
  for (const { sku, quantity, unit_price } of result.lines) totals[sku] = (totals[sku] ?? 0) + quantity * unit_price;
}
return Object.entries(totals).sort((a, b) => b[1] - a[1]).slice(0, 5);`;

/** What a model writes and reads for a task over 40 orders: call by call, or as one script. The time is without the model's. */
export async function task(bench: ServerBench): Promise<ServerSection> {
  const shop = await openShop(bench);
  const singly = async () => {
    let tokens = 0;
    for (let i = 1; i <= orders; i++) {
      const request = { name: 'get_order', arguments: { id: `order-${i}` } };
      tokens += tokensOf(request, await shop.direct.callTool(request));
    }
    return tokens;
  };
  const scripted = async () => {
    const request = { name: 'code_execution', arguments: { code: script } };
    return tokensOf(request, await shop.cay.callTool(request));
  };
  const [single, whole] = [await singly(), await scripted()];
  const times = await interleave(
    bench.quick ? 3 : 10,
    new Map([
      ['single', () => milliseconds(() => singlyUncounted())],
      ['whole', () => milliseconds(() => shop.run(script))],
    ]),
  );
  await shop.close();

  async function singlyUncounted(): Promise<void> {
    for (let i = 1; i <= orders; i++) {
      await shop.direct.callTool({ name: 'get_order', arguments: { id: `order-${i}` } });
    }
  }

  const rate = whole / single;
  return {
    title: 'a task of 40 calls: what a model writes and reads',
    columns: ['tokens', 'ms'],
    rows: [
      { label: '40 tool calls', values: [single, median(times.get('single') ?? [])] },
      { label: 'one code_execution', values: [whole, median(times.get('whole') ?? [])] },
    ],
    targets: [
      {
        label: 'the 40-call task in one code_execution, tokens',
        measured: `${whole} / ${single} = ${(rate * 100).toFixed(1)} %`,
        limit: `at most ${share * 100} %`,
        met: rate <= share,
      },
    ],
    notes: ['each token once: a model that calls 40 times reads all earlier answers again each time'],
  };
}

/** Of the call as the model writes it, and of the text that it reads. */
function tokensOf(request: object, { content }: CallToolResult): number {
  const read = content.map((block) => (block.type === 'text' ? block.text : JSON.stringify(block))).join('\n');
  return countTokens(JSON.stringify(request)) + countTokens(read);
}
