import { z } from 'zod';
import { CayError } from '../../errors.ts';
import { searchLimits } from '../../orchestration/discovery.ts';
import { type CallContext, defineRoute, defineTool } from '../tool.ts';

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const searchOperation = {
  input: z.strictObject({
    query: z.string().max(searchLimits.longestQuery).default('').describe('what the tool should do; empty: list all'),
    limit: z.int().min(1).max(searchLimits.most).default(searchLimits.usual),
    servers: z.array(z.string()).optional().describe('search only these'),
  }),
  output: z.object({
    tools: z.array(z.object({ server: z.string(), tool: z.string(), description: z.string(), signature: z.string() })),
    note: z.string().optional().describe('what there is when nothing was found; servers that are not connected'),
  }),
  run: async (
    { query, limit, servers }: { query: string; limit: number; servers?: string[] | undefined },
    { services, signal }: CallContext,
  ) => {
    const allowed = servers === undefined || servers.length === 0 ? null : new Set(servers);
    const { hits, note } = await services.discovery.search({ query, limit, allowed, signal });
    return { tools: [...hits], ...(note === null ? {} : { note }) };
  },
};

export const searchTools = defineTool({
  name: 'search_tools',
  title: 'Search tools of other servers',
  description:
    'Finds tools of the connected MCP servers by what they do. Then use describe_tool for their types, and call them ' +
    'from code: code_execution has call_tool(server, tool, args) and tools.<server>.<tool>(args).',
  annotations: reads,
  ...searchOperation,
  routes: [
    defineRoute({ method: 'GET', path: '/api/tools', summary: 'Search tools of other servers', ...searchOperation }),
  ],
});

const describeOperation = {
  input: z.strictObject({ server: z.string(), tool: z.string() }),
  output: z.object({ server: z.string(), tool: z.string(), declaration: z.string().describe('TypeScript') }),
  run: async ({ server, tool }: { server: string; tool: string }, { services, signal }: CallContext) => {
    try {
      return { ...(await services.discovery.describe(server, tool, null, signal)) };
    } catch (error) {
      if (!(error instanceof CayError) || !/_not_found$/.test(error.code)) throw error;
      throw new CayError('not_found', error.message, { cause: error });
    }
  },
};

export const describeTool = defineTool({
  name: 'describe_tool',
  title: 'Describe a tool of another server',
  description: 'TypeScript declarations of a tool: what it takes, what it returns, and how code calls it.',
  annotations: reads,
  ...describeOperation,
  routes: [
    defineRoute({
      method: 'GET',
      path: '/api/tools/{server}/{tool}',
      summary: 'Describe a tool of another server',
      ...describeOperation,
    }),
  ],
});
