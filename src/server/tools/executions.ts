import { z } from 'zod';
import { CayError } from '../../errors.ts';
import { newestOthers } from '../../executions/listing.ts';
import type { ListQuery } from '../../executions/types.ts';
import type { ExecutionSummary } from '../../store/types.ts';
import { type Body, type CallContext, defineRoute, defineTool, notFound } from '../tool.ts';
import * as fields from './fields.ts';
import { executionAdvice } from './run-js-advice.ts';
import { executionSchema, executionSummary, executionView, pageSchema, pageView, summarySchema } from './views.ts';

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const oneExecution = z.strictObject({ execution_id: fields.executionId });
type OneExecution = z.output<typeof oneExecution>;

const getInput = oneExecution.extend({ wait_secs: fields.waitSecs });

const getOperation = {
  input: getInput,
  output: executionSchema,
  run: async ({ execution_id: id, wait_secs }: z.output<typeof getInput>, { services, signal }: CallContext) => {
    const { executions } = services;
    const execution = await (wait_secs === 0 ? executions.get(id) : executions.wait(id, wait_secs * 1000, signal));
    if (!execution) throw notFound(`Execution '${id}'`);
    return executionView(execution);
  },
};

export const getExecution = defineTool({
  name: 'get_execution',
  title: 'Get an execution',
  description:
    'Status, result, error and heap of an execution; with wait_secs, when it has ended. While the status is `running` ' +
    '(also in the queue), ask again.',
  annotations: reads,
  ...getOperation,
  advise: (answer) => executionAdvice(answer).join(' ') || null,
  routes: [
    defineRoute({
      name: 'get_execution',
      group: 'JavaScript with memory',
      method: 'GET',
      path: '/api/executions/{execution_id}',
      summary: 'Get an execution',
      description: 'Its status, and when it has ended its result, error and heap.',
      refusals: ['not_found'],
      ...getOperation,
    }),
  ],
});

const pageInput = oneExecution.extend({
  line_offset: z.int().min(1).optional().describe('first line, from 1 (default 1)'),
  line_limit: z.int().min(1).optional().describe('how many lines (default 100)'),
  byte_offset: z.int().min(0).optional().describe('switches to bytes, from 0'),
  byte_limit: z.int().min(1).optional().describe('how many bytes (default 4096), with byte_offset'),
});

const pageOperation = {
  input: pageInput,
  output: pageSchema,
  /** What the mode ignores is not checked. */
  prepare: (given: Body): Body => {
    const { line_offset, line_limit, byte_limit, ...counted } = given;
    const bytes = given.byte_offset !== undefined && given.byte_offset !== null;
    return bytes
      ? { ...counted, byte_limit: byte_limit ?? null }
      : { ...counted, line_offset: line_offset ?? null, line_limit: line_limit ?? null };
  },
  run: async (args: z.output<typeof pageInput>, { services }: CallContext) => {
    const page = await services.executions.page(args.execution_id, {
      ...(args.line_offset === undefined ? {} : { lineOffset: args.line_offset }),
      ...(args.line_limit === undefined ? {} : { lineLimit: args.line_limit }),
      ...(args.byte_offset === undefined ? {} : { byteOffset: args.byte_offset }),
      ...(args.byte_limit === undefined ? {} : { byteLimit: args.byte_limit }),
    });
    if (!page) throw notFound(`Execution '${args.execution_id}'`);
    return pageView(args.execution_id, page);
  },
};

export const getExecutionOutput = defineTool({
  name: 'get_execution_output',
  title: 'Get console output',
  description:
    'A page of console output, also while the execution runs. Follow next_line_offset (or next_byte_offset) while ' +
    'has_more is true, or while the status is `running`.',
  annotations: reads,
  ...pageOperation,
  routes: [
    defineRoute({
      name: 'get_execution_output',
      group: 'JavaScript with memory',
      method: 'GET',
      path: '/api/executions/{execution_id}/output',
      summary: 'Get a page of console output',
      description:
        'By lines, or by bytes when `byte_offset` is given; also while the execution runs. Joining the `data` of pages that ' +
        'follow `next_line_offset` or `next_byte_offset` gives the whole output.',
      example: { line_offset: 1, line_limit: 100 },
      refusals: ['not_found'],
      ...pageOperation,
    }),
  ],
});

const cancel = ({ execution_id }: OneExecution, { services }: CallContext) => services.executions.cancel(execution_id);

export const cancelExecution = defineTool({
  name: 'cancel_execution',
  title: 'Cancel an execution',
  description: 'Ends a running or waiting execution at once. Its console output stays.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: oneExecution,
  output: fields.done,
  run: async (args, context) => {
    const answer = await cancel(args, context);
    return answer.ok ? { ok: true } : { ok: false, error: answer.error };
  },
  routes: [
    defineRoute({
      name: 'cancel_execution',
      group: 'JavaScript with memory',
      method: 'POST',
      path: '/api/executions/{execution_id}/cancel',
      summary: 'Cancel an execution',
      description: 'When it is answered, the process of the execution is gone, or it never starts.',
      input: oneExecution,
      output: fields.done,
      run: cancel,
      failure: (answer) => (answer.ok ? null : answer.code),
      statuses: [200, 404, 409],
    }),
  ],
});

const listOutput = z.object({ executions: z.array(summarySchema) });
const listInput = z.strictObject({
  limit: z.int().min(1).max(1000).optional(),
  status: fields.status.optional(),
  cursor: z.string().optional().describe('next_cursor of the page before'),
});

export const listExecutions = defineTool({
  name: 'list_executions',
  title: 'List executions',
  description: 'Executions, newest first: all that run, and the newest 1,000 others.',
  annotations: reads,
  input: z.strictObject({}),
  output: listOutput,
  run: async (_, { services }) => ({ executions: (await services.executions.list()).map(executionSummary) }),
  routes: [
    defineRoute({
      name: 'list_executions',
      group: 'JavaScript with memory',
      method: 'GET',
      path: '/api/executions',
      summary: 'List executions',
      description: 'Newest first. Without a limit: all that run, and the newest 1,000 others.',
      example: { limit: 10 },
      input: listInput,
      output: listOutput.extend({ next_cursor: z.string().nullable() }),
      run: async (args, { services }) => {
        const found = await services.executions.list(listQuery(args));
        return { executions: found.map(executionSummary), next_cursor: nextCursor(found, args.limit) };
      },
    }),
  ],
});

/** Where the next page begins; null when there is none. Without a limit, older ones that run are in every page. */
function nextCursor(found: readonly ExecutionSummary[], limit: number | undefined): string | null {
  const counted = limit === undefined ? found.filter(({ status }) => status !== 'running') : found;
  const last = counted.length === (limit ?? newestOthers) ? counted.at(-1) : undefined;
  return last ? String(last.sequence) : null;
}

function listQuery({ limit, status, cursor }: z.output<typeof listInput>): ListQuery {
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) {
    throw new CayError('invalid_argument', `cursor: expected the next_cursor of an earlier page, got "${cursor}"`);
  }
  return {
    ...(limit === undefined ? {} : { limit }),
    ...(status === undefined ? {} : { status }),
    ...(cursor === undefined ? {} : { before: Number(cursor) }),
  };
}
