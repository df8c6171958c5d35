import { z } from 'zod';
import type { SubmitRequest } from '../../executions/types.ts';
import { type CallContext, defineRoute, defineTool } from '../tool.ts';
import * as fields from './fields.ts';
import { executionAdvice, missingName, runAdvice } from './run-js-advice.ts';
import { executionSchema, executionView, pageSchema, pageView } from './views.ts';

const input = z.strictObject({
  code: fields.code,
  heap: z
    .string()
    .optional()
    .describe(
      'state to continue from: a heap key (or 12+ digits of it), an execution id, or `latest` (of this session)',
    ),
  wait_secs: fields.waitSecs,
  input: fields.input,
  heap_memory_max_mb: fields.heapMemoryMaxMb,
  execution_timeout_secs: fields.executionTimeoutSecs,
  tags: fields.tags.optional().describe('put on the resulting heap'),
});

const output = z.object({
  ...executionSchema.partial().shape,
  execution_id: fields.executionId,
  output: pageSchema.optional().describe('the first page of console output, where there is any'),
});

type Arguments = z.output<typeof input>;

type Answer = z.input<typeof output>;

async function run(args: Arguments, { services, session, signal, onProgress }: CallContext): Promise<Answer> {
  const { executions } = services;
  const request = submission(args, session);
  if (args.wait_secs === 0) return { execution_id: (await executions.submit(request)).id };
  const options = { milliseconds: args.wait_secs * 1000, signal, onLine: onProgress };
  const { execution, page } = await executions.submitAndWait(request, options);
  return { ...executionView(execution), output: pageView(execution.id, page) };
}

/** A model pays for every word: the page of a run that ended and has printed nothing is left out. */
function withoutEmptyPage({ output: page, ...others }: Answer): Answer {
  const isEmpty = page === undefined || (page.total_bytes === 0 && page.status !== 'running');
  return isEmpty ? others : { ...others, output: page };
}

function submission(args: Omit<Arguments, 'wait_secs'>, session: string | null): SubmitRequest {
  return {
    code: args.code,
    session,
    ...(args.heap === undefined ? {} : { heap: args.heap }),
    ...(args.tags === undefined ? {} : { tags: args.tags }),
    ...(args.input === undefined ? {} : { input: args.input }),
    ...(args.heap_memory_max_mb === undefined ? {} : { heapMb: args.heap_memory_max_mb }),
    ...(args.execution_timeout_secs === undefined ? {} : { timeoutMs: args.execution_timeout_secs * 1000 }),
  };
}

const annotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };

export const runJs = defineTool({
  name: 'run_js',
  title: 'Run JavaScript',
  description:
    'Run JavaScript or TypeScript in a sandbox. Set wait_secs (say 30) to get the result in this call; without it you ' +
    'get an execution_id for get_execution. The value of the last expression is the result. Every run leaves a heap: ' +
    'pass it as `heap` and all variables, functions and classes are there again; without `heap` the run begins empty. ' +
    'Any earlier heap works, so you can branch or go back.',
  annotations,
  input,
  output,
  run: async (args, context) => withoutEmptyPage(await run(args, context)),
  advise: (answer, { heap }, { session }) =>
    [...executionAdvice(answer, { heap, session }), ...runAdvice(answer)].join(' ') || null,
  routes: [
    defineRoute({
      name: 'run_js',
      group: 'JavaScript with memory',
      method: 'POST',
      path: '/api/exec',
      summary: 'Submit code',
      description:
        'Answers with the id as soon as the execution is on disk; with `wait_secs` also with how it ended and the first ' +
        'page of its output. Pass the `heap` that it leaves to the next run, and everything is there again.',
      example: { code: 'const seen = [1, 2]; console.log("hello"); seen.length', wait_secs: 10 },
      refusals: ['queue_full', 'closing'],
      input: input.extend({ session: fields.session.describe('the session to log it in') }),
      output,
      run,
    }),
  ],
});

const statelessInput = input.omit({ heap: true, tags: true, wait_secs: true });
const statelessOutput = z.object({
  output: z.string().describe('all console output'),
  result: z.string().nullable(),
  error: z.string().optional(),
});
const longestMs = 300_000;

async function runAndForget(
  args: z.output<typeof statelessInput>,
  context: CallContext,
): Promise<z.input<typeof statelessOutput>> {
  const { services, signal, onProgress } = context;
  const options = { milliseconds: longestMs, signal, onLine: onProgress };
  const { result, error: thrown, output, late } = await services.executions.runOnce(submission(args, null), options);
  const error = late ? 'Execution did not complete within polling timeout' : thrown;
  return { output, result, ...(error === null ? {} : { error }) };
}

export const statelessRunJs = defineTool({
  name: 'run_js',
  title: 'Run JavaScript',
  description:
    'Run JavaScript or TypeScript in a sandbox and wait for it. Returns all console output and, as result, the value ' +
    'of the last expression. Nothing is kept between runs.',
  annotations,
  input: statelessInput,
  output: statelessOutput,
  run: runAndForget,
  advise: ({ error }) => missingName(error),
  routes: [
    defineRoute({
      name: 'run_js',
      group: 'JavaScript with memory',
      method: 'POST',
      path: '/api/exec',
      summary: 'Run code and wait for it',
      description: 'Nothing is kept: this server is stateless.',
      example: { code: 'console.log("hello"); 1 + 1' },
      refusals: ['queue_full', 'closing'],
      input: statelessInput,
      output: statelessOutput,
      run: runAndForget,
    }),
  ],
});
