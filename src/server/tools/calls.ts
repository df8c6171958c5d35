import { z } from 'zod';
import type { CallRecord, KeptText } from '../../store/calls.ts';
import type { Status } from '../../store/types.ts';
import { named } from '../named.ts';
import { defineRoute, notFound } from '../tool.ts';
import * as fields from './fields.ts';
import { iso } from './views.ts';

const keptText = named(
  'KeptText',
  z.object({
    text: z.string().describe('JSON; its beginning when it is long'),
    bytes: z.int().describe('of the whole'),
    truncated: z.boolean(),
  }),
);

const callSchema = named(
  'ToolCall',
  z.object({
    index: z.int().describe('in the order of the calls, from 0'),
    server: z.string(),
    tool: z.string(),
    arguments: keptText,
    outcome: z.enum(['running', 'ok', 'error', 'cancelled', 'refused']),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    result: keptText.nullable(),
    started_at: fields.time,
    duration_ms: z.number().nullable(),
  }),
);

const largestPage = 1000;

/** What the code of an execution has called. */
export const callsRoute = defineRoute({
  name: 'list_tool_calls',
  group: 'Code that calls tools',
  method: 'GET',
  path: '/api/executions/{execution_id}/calls',
  summary: 'List tool calls',
  description: 'What the code of an execution called, in order, with arguments, outcome and time.',
  example: { limit: 100 },
  refusals: ['not_found'],
  input: z.strictObject({
    execution_id: fields.executionId,
    limit: z.int().min(1).max(largestPage).default(100),
    after: z.int().min(0).optional().describe('only calls whose index is above it'),
  }),
  output: z.object({ execution_id: fields.executionId, calls: z.array(callSchema), has_more: z.boolean() }),
  run: async ({ execution_id: id, limit, after }, { services }) => {
    const { store } = services;
    const execution = await store.executions.summary(id);
    if (!execution) throw notFound(`Execution '${id}'`);
    const found = await store.calls.list(id, { limit: limit + 1, ...(after === undefined ? {} : { after }) });
    const calls = found.slice(0, limit).map((record) => callView(record, execution.status));
    return { execution_id: id, calls, has_more: found.length > limit };
  },
});

export function callView(record: CallRecord, status: Status): z.input<typeof callSchema> {
  const { index, server, tool, code, message, startedAt, durationMs, result } = record;
  // One that was under way when the server stopped.
  const outcome = record.outcome === 'running' && status !== 'running' ? 'cancelled' : record.outcome;
  return {
    index,
    server,
    tool,
    arguments: textView(record.arguments),
    outcome,
    error: code === null ? null : { code, message: message ?? '' },
    result: result && textView(result),
    started_at: iso(startedAt),
    duration_ms: durationMs,
  };
}

function textView({ text, bytes }: KeptText): z.input<typeof keptText> {
  return { text, bytes, truncated: Buffer.byteLength(text) < bytes };
}
