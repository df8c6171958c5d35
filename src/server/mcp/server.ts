import { isSpecType, type ListToolsResult, Server } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Services } from '../services.ts';
import type { Tool } from '../tool.ts';
import type { ToolTable } from '../tools.ts';
import { callTool } from './call.ts';

/** Makes the MCP server of one connection, or of one request where the protocol has no connections. */
export type McpServerFactory = (session: string | null) => Server;

export function mcpServerFactory(services: Services, table: ToolTable): McpServerFactory {
  const listed = listing(table);
  const info = { name: 'cay', title: 'Cay', version: services.version };
  return (session) => {
    const server = new Server(info, {
      capabilities: { tools: {}, logging: {} },
      instructions: instructions(services, table),
    });
    server.setRequestHandler('tools/list', () => listed);
    server.setRequestHandler('tools/call', ({ params }, request) =>
      callTool(params, request, { table, services, session }),
    );
    return server;
  };
}

function listing({ tools }: ToolTable): ListToolsResult {
  const listed = { tools: tools.map(toolListing) };
  if (!isSpecType.ListToolsResult(listed)) throw new TypeError('the tool table does not make a list of MCP tools');
  return listed;
}

function toolListing({ name, title, description, input, output, annotations }: Tool): unknown {
  return {
    name,
    title,
    description,
    inputSchema: z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }),
    outputSchema: z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' }),
    annotations: { title, ...annotations },
  };
}

function instructions({ stateless }: Services, { tools }: ToolTable): string {
  const orchestrates = tools.some(({ name }) => name === 'code_execution');
  const more =
    ' code_execution runs code that calls the tools of other servers: prefer it to many single calls. search_tools ' +
    'finds them.';
  return runJsInstructions(stateless) + (orchestrates ? more : '');
}

function runJsInstructions(stateless: boolean): string {
  return stateless
    ? 'run_js runs JavaScript or TypeScript in a sandbox and returns its output. Nothing is kept between runs.'
    : 'run_js runs JavaScript or TypeScript in a sandbox and keeps its whole state: pass wait_secs to get the result ' +
        'in the same call, and pass the returned `heap` to the next run_js to continue with all variables.';
}
