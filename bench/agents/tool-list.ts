import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ServerSection } from '../server/table.ts';
import { tokensOf } from './replay.ts';
import type { World } from './world.ts';

/** What every conversation pays before the first call: the tools as they are listed. */
export async function toolListCost({ url }: World): Promise<ServerSection> {
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  const { tools } = await client.listTools();
  const instructions = tokensOf(client.getInstructions() ?? '');
  await client.close();
  const rows = tools.map(({ name, description, inputSchema, outputSchema }) => ({
    label: name,
    values: [description, inputSchema, outputSchema].map((part) => tokensOf(part ?? '')),
  }));
  const sum = (column: number) => rows.reduce((all, { values }) => all + (values[column] ?? 0), 0);
  return {
    title: 'what the tool list costs, in tokens',
    columns: ['description', 'arguments', 'answer'],
    rows: [...rows, { label: 'all', values: [0, 1, 2].map(sum) }],
    targets: [],
    notes: [
      `the server's instructions: ${instructions} tokens; most clients do not show the answers' schemas to models`,
    ],
  };
}
