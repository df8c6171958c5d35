import { z } from 'zod';
import type { UpstreamStatus } from '../../upstreams/types.ts';
import { named } from '../named.ts';
import { defineRoute } from '../tool.ts';
import * as fields from './fields.ts';
import { iso } from './views.ts';

const upstream = named(
  'Upstream',
  z.object({
    name: z.string(),
    transport: z.enum(['stdio', 'http', 'sse']).nullable().describe('null while it has not been found out'),
    state: z.enum(['connecting', 'connected', 'waiting', 'failed', 'disabled']),
    since: fields.time,
    tools: z.int().describe('how many it offers'),
    calls_in_flight: z.int(),
    last_error: z.string().nullable().describe('the last thing that went wrong, also when it is connected again'),
    next_attempt_at: fields.time.nullable(),
    server: z.object({ name: z.string(), version: z.string() }).nullable().describe('what it says that it is'),
  }),
);

/** How the other MCP servers are. */
export const upstreamsRoute = defineRoute({
  name: 'list_upstreams',
  group: 'Code that calls tools',
  method: 'GET',
  path: '/api/upstreams',
  summary: 'List upstream servers',
  description: 'The other MCP servers whose tools code may call, and how they are.',
  input: z.strictObject({}),
  output: z.object({ upstreams: z.array(upstream) }),
  run: async (_, { services }) => ({ upstreams: services.upstreams.status().map(view) }),
});

function view(status: UpstreamStatus): z.input<typeof upstream> {
  const { name, transport, state, since, tools, callsInFlight, lastError, nextAttemptAt, serverInfo } = status;
  return {
    name,
    transport,
    state,
    since: iso(since),
    tools,
    calls_in_flight: callsInFlight,
    last_error: lastError,
    next_attempt_at: nextAttemptAt === null ? null : iso(nextAttemptAt),
    server: serverInfo && { name: serverInfo.name, version: serverInfo.version },
  };
}
