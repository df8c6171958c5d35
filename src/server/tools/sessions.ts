import { z } from 'zod';
import { listSnapshots, listSessions as sessionNames } from '../../sessions/sessions.ts';
import type { SessionEntry } from '../../store/types.ts';
import { named } from '../named.ts';
import { type CallContext, defineRoute, defineTool } from '../tool.ts';
import * as fields from './fields.ts';
import { iso } from './views.ts';

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const listOperation = {
  input: z.strictObject({}),
  output: z.object({ sessions: z.array(z.string()) }),
  run: async (_: unknown, { services }: CallContext) => ({ sessions: await sessionNames(services.store.sessions) }),
};

export const listSessions = defineTool({
  name: 'list_sessions',
  title: 'List sessions',
  description: 'The names of all sessions that have a log.',
  annotations: reads,
  ...listOperation,
  routes: [
    defineRoute({
      name: 'list_sessions',
      group: 'Sessions',
      method: 'GET',
      path: '/api/sessions',
      summary: 'List sessions',
      description: 'The names of all sessions that have a log, oldest first.',
      example: { limit: 100 },
      input: z.strictObject({
        offset: z.int().min(0).default(0).describe('how many to leave out'),
        limit: z.int().min(1).max(1000).optional().describe('left out: all of them'),
      }),
      output: listOperation.output,
      run: async ({ offset, limit }, context) => {
        const { sessions } = await listOperation.run({}, context);
        return { sessions: sessions.slice(offset, limit === undefined ? undefined : offset + limit) };
      },
    }),
  ],
});

const snapshotsInput = z.strictObject({
  fields: z.string().optional().describe('comma-separated, of index, input_heap, output_heap, code, timestamp'),
  offset: z.int().min(0).optional().describe('index of the first entry; left out: the newest'),
  limit: z.int().min(1).optional().describe('default 1000, at most 10000'),
});

const entry = named(
  'Snapshot',
  z.object({
    index: z.int().optional(),
    input_heap: z.string().nullable().optional(),
    output_heap: z.string().nullable().optional(),
    code: z.string().optional(),
    timestamp: fields.time.optional(),
    error: z.string().optional(),
  }),
);

type Snapshots = z.input<typeof snapshotsOutput>;
const snapshotsOutput = z.object({ entries: z.array(entry) });

async function snapshots(args: z.output<typeof snapshotsInput>, context: CallContext): Promise<Snapshots> {
  const { services, session } = context;
  if (session === null) return { entries: [{ error: 'no session ID available (send X-MCP-Session-Id header)' }] };
  const found = await listSnapshots(services.store.sessions, session, {
    ...(args.fields === undefined ? {} : { fields: args.fields }),
    ...(args.offset === undefined ? {} : { offset: args.offset }),
    ...(args.limit === undefined ? {} : { limit: args.limit }),
  });
  return { entries: found.map(entryView) };
}

export const listSessionSnapshots = defineTool({
  name: 'list_session_snapshots',
  title: "List a session's history",
  description:
    'The log of this session, oldest first: for each run its code, the heap it began with and the heap it left. ' +
    'Leave `code` out of `fields` to keep the answer short.',
  annotations: reads,
  input: snapshotsInput,
  output: snapshotsOutput,
  run: snapshots,
  routes: [
    defineRoute({
      name: 'list_session_snapshots',
      group: 'Sessions',
      method: 'GET',
      path: '/api/sessions/{session}/snapshots',
      summary: "List a session's history",
      description:
        'Oldest first: for each run its code, the heap that it began with and the heap that it left. The newest 1,000, or ' +
        'what `offset` and `limit` ask for. A session that is not known has none.',
      example: { fields: 'index,output_heap,timestamp', limit: 10 },
      input: snapshotsInput.extend({ session: z.string().describe('its name') }),
      output: snapshotsOutput,
      run: snapshots,
    }),
  ],
});

export function entryView({
  index,
  inputHeap,
  outputHeap,
  code,
  timestamp,
}: Partial<SessionEntry>): z.input<typeof entry> {
  return {
    ...(index === undefined ? {} : { index }),
    ...(inputHeap === undefined ? {} : { input_heap: inputHeap }),
    ...(outputHeap === undefined ? {} : { output_heap: outputHeap }),
    ...(code === undefined ? {} : { code }),
    ...(timestamp === undefined ? {} : { timestamp: iso(timestamp) }),
  };
}
