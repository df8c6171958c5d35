/** A stdio MCP server for the benchmark: a shop with 40 orders and, as such servers have them, 300 tools. */
import { setTimeout } from 'node:timers/promises';
import { isSpecType, Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const things = [
  'order', 'customer', 'invoice', 'product', 'refund', 'shipment', 'supplier', 'coupon', 'review', 'cart',
  'payment', 'warehouse', 'return', 'subscription', 'category', 'employee', 'ticket', 'report', 'webhook', 'address',
  'tax_rate', 'price_list', 'gift_card', 'bundle', 'campaign', 'segment', 'currency', 'store', 'channel', 'contract',
]; // biome-ignore format: a list
const verbs = ['get', 'list', 'search', 'create', 'update', 'delete', 'export', 'archive', 'tag', 'count'];

const text = (description: string) => ({ type: 'string', description });
const tool = (verb: string, thing: string) => ({
  name: `${verb}_${thing}`,
  description: `${verb[0]?.toUpperCase()}${verb.slice(1)} ${thing.replaceAll('_', ' ')} records of the shop. Needs the permission ${thing}:${verb}.`,
  inputSchema: {
    type: 'object',
    properties: {
      id: text(`the id of the ${thing}`),
      fields: { type: 'array', items: { type: 'string' }, description: 'which fields to return; all when left out' },
      limit: { type: 'integer', minimum: 1, maximum: 100, description: 'how many records at most' },
      updated_since: text('only records that were changed after this ISO-8601 time'),
    },
    required: verb === 'get' ? ['id'] : [],
  },
});

const listed = {
  tools: [
    ...things.flatMap((thing) => verbs.map((verb) => tool(verb, thing))),
    {
      name: 'wait',
      description: 'Answers after some milliseconds.',
      inputSchema: { type: 'object', properties: { ms: { type: 'number' } }, required: ['ms'] },
    },
  ],
};
if (!isSpecType.ListToolsResult(listed)) throw new TypeError('this is no list of tools');

const order = (id: number) => ({
  id: `order-${id}`,
  status: id % 7 === 0 ? 'refunded' : 'shipped',
  customer: { id: `c-${id * 13}`, name: `Customer ${id}`, email: `customer${id}@example.com`, country: 'DE' },
  created_at: new Date(1.7e12 + id * 1e7).toISOString(),
  currency: 'EUR',
  lines: Array.from({ length: 6 }, (_, line) => ({
    sku: `SKU-${(id * 31 + line * 7) % 997}`,
    title: `Product ${(id + line) % 50}, in a box, with a long title`,
    quantity: (line % 3) + 1,
    unit_price: 5 + ((id * line) % 40),
    tax_rate: 0.19,
  })),
  shipping: { carrier: 'DHL', tracking: `00340434${id}`, street: `Street ${id}`, city: 'Hamburg', postcode: '20095' },
});

const server = new Server({ name: 'shop', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler('tools/list', () => listed);
server.setRequestHandler('tools/call', async ({ params: { name, arguments: args } }) => {
  if (name === 'wait') await setTimeout(Number(args?.ms));
  const answer = name === 'get_order' ? order(Number(String(args?.id).replace('order-', ''))) : { ok: true };
  return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
});
await server.connect(new StdioServerTransport());
