import { z } from 'zod';
import { named } from '../named.ts';
import type { RouteText } from '../tool.ts';
import { executionId } from '../tools/fields.ts';
import { executionSchema } from '../tools/views.ts';

/** A route that is not in the table, because no tool does what it does, or because it does not answer with JSON. */
export interface OwnRoute extends RouteText {
  readonly input: z.ZodObject;
  readonly mediaType: string;
  readonly output: z.ZodType;
}

export const eventsRoute = {
  name: 'follow_execution',
  group: 'JavaScript with memory',
  method: 'GET',
  path: '/api/executions/{execution_id}/events',
  summary: 'Follow an execution',
  description:
    'Output and status as server-sent events. An `output` event has `{"data", "start_byte", "end_byte"}` as its data and the byte to go on from as its id, which a ' +
    'browser sends back when it reconnects (`Last-Event-ID`). A `status` event has the execution; the terminal one is ' +
    'the last, and ends the stream.',
  input: z.strictObject({
    execution_id: executionId,
    byte_offset: z.int().min(0).optional().describe('where in the output to begin'),
  }),
  example: { byte_offset: 0 },
  refusals: ['not_found', 'invalid_argument'],
  mediaType: 'text/event-stream',
  output: z.string(),
} as const satisfies OwnRoute;

/** The data of the stream's events; no schema of OpenAPI reaches into a stream, so they are listed by name. */
export const eventSchemas = [
  executionSchema,
  named('OutputEvent', z.object({ data: z.string(), start_byte: z.int(), end_byte: z.int() })),
];

const none = z.strictObject({});

export const healthRoute = {
  name: 'get_health',
  group: 'Server',
  method: 'GET',
  path: '/health',
  summary: 'Get the health',
  description: 'Whether the server answers, and how much it has to do.',
  input: none,
  mediaType: 'application/json',
  output: named(
    'Health',
    z.object({
      status: z.literal('ok'),
      version: z.string(),
      stateless: z.boolean(),
      uptime_secs: z.int(),
      running: z.int().describe('executions that run'),
      queued: z.int().describe('executions that wait'),
      unstored: z.int().describe('executions that have ended, and whose end waits for room on the disk'),
    }),
  ),
} as const satisfies OwnRoute;

export const metricsRoute = {
  name: 'get_metrics',
  group: 'Server',
  method: 'GET',
  path: '/metrics',
  summary: 'Get the metrics',
  description: "What the server counts, in Prometheus' text format.",
  input: none,
  mediaType: 'text/plain',
  output: z.string(),
} as const satisfies OwnRoute;

export const openApiRoute = {
  name: 'get_openapi',
  group: 'Server',
  method: 'GET',
  path: '/api/openapi.json',
  summary: 'Get the OpenAPI document',
  description: 'This description for programs, in OpenAPI 3.1.',
  input: none,
  mediaType: 'application/json',
  output: z.looseObject({ openapi: z.string() }),
} as const satisfies OwnRoute;

export const docsRoute = {
  name: 'get_docs',
  group: 'Server',
  method: 'GET',
  path: '/docs',
  summary: 'Get this page',
  input: none,
  mediaType: 'text/html',
  output: z.string(),
} as const satisfies OwnRoute;

/** Those of a server; an execution of a stateless one is over when it is answered. */
export function ownRoutes({ stateless }: { readonly stateless: boolean }): readonly OwnRoute[] {
  return [...(stateless ? [] : [eventsRoute]), healthRoute, metricsRoute, openApiRoute, docsRoute];
}
