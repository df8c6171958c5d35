import type { ServerContext } from '@modelcontextprotocol/server';
import { type CallToolRequestParams, type CallToolResult, isSpecType, Server } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ToolboxOptions } from './options.ts';
import { type Memory, type ToolboxTool, tools } from './toolbox-tools.ts';

/** Makes MCP servers with all the tools of toolbox-tools.ts, and with one memory. */
export function createToolbox({ items = 0, pageSize = 1000 }: ToolboxOptions): () => Server {
  const servers = new Set<Server>();
  const memory: Memory = {
    calls: new Map(),
    cancelled: 0,
    running: 0,
    mostRunning: 0,
    added: new Set(),
    toolsChanged: () => {
      for (const server of servers) server.sendToolListChanged().catch(() => {}); // its client may have gone
    },
  };
  const all = () => [
    ...Object.entries(tools),
    ...Array.from({ length: items }, (_, index) => namedItem(`item_${String(index).padStart(3, '0')}`)),
    ...[...memory.added].map(namedItem),
  ];
  return () => {
    const info = { name: 'toolbox', version: '1.2.3' };
    const server = new Server(info, { capabilities: { tools: { listChanged: true } } });
    servers.add(server);
    server.onclose = () => servers.delete(server);
    server.setRequestHandler('tools/list', ({ params }) => page(all(), Number(params?.cursor ?? 0), pageSize));
    server.setRequestHandler('tools/call', ({ params }, context) => call(params, new Map(all()), memory, context));
    return server;
  };
}

function namedItem(name: string): [string, ToolboxTool] {
  const input = z.object({ id: z.string().describe(`which ${name}`), limit: z.int().min(1).max(100).optional() });
  const description = `Looks up ${name} in the warehouse and returns its name.`;
  return [name, { description, input, call: () => ({ content: [{ type: 'text', text: name }] }) }];
}

function page(all: [string, ToolboxTool][], from: number, pageSize: number) {
  const listed = {
    tools: all.slice(from, from + pageSize).map(([name, { title, description, input, output }]) => ({
      name,
      ...(title === undefined ? {} : { title }),
      description,
      inputSchema: z.toJSONSchema(input),
      ...(output === undefined ? {} : { outputSchema: z.toJSONSchema(output) }),
    })),
    ...(from + pageSize < all.length ? { nextCursor: String(from + pageSize) } : {}),
  };
  if (!isSpecType.ListToolsResult(listed)) throw new TypeError('this is no list of tools');
  return listed;
}

async function call(
  { name, arguments: args = {} }: CallToolRequestParams,
  known: ReadonlyMap<string, ToolboxTool>,
  memory: Memory,
  context: ServerContext,
): Promise<CallToolResult> {
  memory.calls.set(name, (memory.calls.get(name) ?? 0) + 1);
  const tool = known.get(name);
  if (!tool) return { content: [{ type: 'text', text: `there is no tool ${name}` }], isError: true };
  return tool.call(args, memory, context);
}
