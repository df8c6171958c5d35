import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { ServerBench } from '../server/bench.ts';

const shop = { command: process.execPath, args: [join(import.meta.dirname, 'shop.ts')] };

export interface ShopClients {
  /** The official client, straight to the shop. */
  readonly direct: Client;
  /** The official client to a Cay that has the shop as an upstream. */
  readonly cay: Client;
  /** Runs code through `cay`; its value. */
  run(code: string): Promise<unknown>;
  close(): Promise<void>;
}

export async function openShop(bench: ServerBench): Promise<ShopClients> {
  const folder = bench.folder();
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ enable_code_execution: true, mcpServers: { shop } }));
  const { served } = await bench.server([], folder);
  const direct = new Client({ name: 'bench', version: '1' });
  await direct.connect(new StdioClientTransport(shop));
  const cay = await httpClient(served.url);
  const run = async (code: string) => {
    const { structuredContent } = await cay.callTool({ name: 'code_execution', arguments: { code } });
    const { ok, value, error } = Object(structuredContent);
    if (ok !== true) throw new Error(JSON.stringify(error));
    return value;
  };
  await run("call_tool('shop', 'get_order', { id: 'order-1' }).ok"); // connected from here on
  return {
    direct,
    cay,
    run,
    close: async () => {
      await Promise.all([direct.close(), cay.close()]);
    },
  };
}

export async function httpClient(url: string): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  return client;
}

export async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
