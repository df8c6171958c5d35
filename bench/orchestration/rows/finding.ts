import { countTokens } from 'gpt-tokenizer';
import type { ServerBench } from '../../server/bench.ts';
import type { ServerSection } from '../../server/table.ts';
import { openShop, type ShopClients } from '../shop-clients.ts';

/** What a model reads to know how to call the right tool among 300. */
export async function finding(bench: ServerBench): Promise<ServerSection> {
  const shop = await openShop(bench);
  const { tools } = await shop.direct.listTools();
  const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const all = countTokens(JSON.stringify(shown));
  const search = await asked(shop, 'search_tools', { query: 'refund of an order' });
  const describe = await asked(shop, 'describe_tool', { server: 'shop', tool: 'get_refund' });
  const { tools: own } = await shop.cay.listTools();
  const ours = own.filter(({ name }) => ['code_execution', 'search_tools', 'describe_tool'].includes(name));
  const definitions = countTokens(
    JSON.stringify(ours.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))),
  );
  await shop.close();
  return {
    title: `the right tool among ${tools.length}, tokens`,
    columns: ['tokens'],
    rows: [
      { label: 'all definitions, as listed', values: [all] },
      { label: 'the three tools of Cay, as listed', values: [definitions] },
      { label: '  search_tools, asked and answered', values: [search] },
      { label: '  describe_tool', values: [describe] },
    ],
    targets: [],
    notes: [],
  };
}

async function asked(shop: ShopClients, name: string, args: Record<string, unknown>): Promise<number> {
  const request = { name, arguments: args };
  const { content } = await shop.cay.callTool(request);
  const read = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  return countTokens(JSON.stringify(request)) + countTokens(read);
}
