import { isSpecType, type ListToolsResult, Server } from '@modelcontextprotocol/server';
import type { Services } from '../services.ts';
import type { Tool } from '../tool.ts';
import type { ToolTable } from '../tools.ts';
import { callTool } from './call.ts';
import { instructions } from './instructions.ts';
import { listedSchema } from './listed-schema.ts';
import { addResources, resourceCapabilities } from './resources/handlers.ts';

/** Makes the MCP server of one connection, or of one request where the protocol has no connections. */
export type McpServerFactory = (session: string | null) => Server;

export function mcpServerFactory(services: Services, table: ToolTable): McpServerFactory {
  const listed = listing(table);
  const info = { name: 'cay', title: 'Cay', version: services.version };
  // What is kept is what there is to read.
  const kept = !services.stateless;
  const options = {
    capabilities: { tools: {}, logging: {}, ...(kept ? resourceCapabilities : {}) },
    instructions: instructions(services, table),
  };
  return (session) => {
    const server = new Server(info, options);
    server.setRequestHandler('tools/list', () => listed);
    server.setRequestHandler('tools/call', ({ params }, request) =>
      callTool(params, request, { table, services, session }),
    );
    if (kept) addResources(server, services);
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
    inputSchema: listedSchema(input, 'input'),
    outputSchema: listedSchema(output, 'output'),
    annotations: { title, ...annotations },
  };
}
