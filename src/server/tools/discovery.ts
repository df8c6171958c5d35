import { z } from 'zod';
import { CayError } from '../../errors.ts';
import { searchLimits } from '../../orchestration/discovery.ts';
import { named } from '../named.ts';
import { type CallContext, defineRoute, defineTool } from '../tool.ts';

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const hit = named(
  'ToolHit',
  z.object({ server: z.string(), tool: z.string(), description: z.string(), signature: z.string() }),
);

const searchOperation = {
  input: z.strictObject({
    query: z.string().max(searchLimits.longestQuery).default('').describe('what the tool should do; empty: list all'),
    limit: z.int().min(1).max(searchLimits.most).default(searchLimits.usual),
    servers: z.array(z.string()).optional().describe('search only these'),
  }),
  output: z.object({
    tools: z.array(hit),
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

const inCodeExecution = 'code_execution has call_tool(server, tool, args) and await tools.<server>.<tool>(args)';
const inRunJs = 'run_js has await tools.<server>.<tool>(args)';

/** How found tools are called depends on what is switched on. */
export const searchTools = (codeExecutes: boolean) =>
  defineTool({
    name: 'search_tools',
    title: 'Search tools of other servers',
    description:
      'Finds tools of the connected MCP servers by what they do. describe_tool then gives their types, and code calls ' +
      `them: ${codeExecutes ? inCodeExecution : inRunJs}.`,
    annotations: reads,
    ...searchOperation,
    routes: [
      defineRoute({
        name: 'search_tools',
        group: 'Code that calls tools',
        method: 'GET',
        path: '/api/tools',
        summary: 'Search tools',
        description: 'Of the upstream servers, by what they do.',
        example: { query: 'sum of numbers', limit: 5 },
        refusals: ['switched_off'],
        ...searchOperation,
      }),
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
      name: 'describe_tool',
      group: 'Code that calls tools',
      method: 'GET',
      path: '/api/tools/{server}/{tool}',
      summary: 'Describe a tool',
      description: 'What it takes and returns, in TypeScript.',
      refusals: ['switched_off', 'not_found', 'upstream_error'],
      ...describeOperation,
    }),
  ],
});
