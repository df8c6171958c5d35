import { z } from 'zod';
import type { SubmitRequest } from '../../executions/types.ts';
import { type CallContext, defineRoute, defineTool, notFound, type Tool } from '../tool.ts';
import * as fields from './fields.ts';
import { executionShape, executionView, pageSchema, pageView } from './views.ts';

const input = z.strictObject({
  code: fields.code,
  heap: z
    .string()
    .optional()
    .describe(
      'state to continue from: a heap key (or 12+ digits of it), an execution id, or `latest` (of this session)',
    ),
  wait_secs: z.number().min(0).max(60).default(0).describe('answer when the run ends, or after so many seconds'),
  input: fields.input,
  heap_memory_max_mb: fields.heapMemoryMaxMb,
  execution_timeout_secs: fields.executionTimeoutSecs,
  tags: fields.tags.optional().describe('put on the resulting heap'),
});

const output = z.object({
  ...z.object(executionShape).partial().shape,
  execution_id: fields.executionId,
  output: pageSchema.optional().describe('the first page of console output'),
});

type Arguments = z.output<typeof input>;

async function run(args: Arguments, context: CallContext): Promise<z.input<typeof output>> {
  const { executions } = context.services;
  const { id } = await executions.submit(submission(args, context.session));
  if (args.wait_secs === 0) return { execution_id: id };
  const execution = await watched(id, context, () => executions.wait(id, args.wait_secs * 1000, context.signal));
  const page = await executions.page(id, {});
  if (!execution || !page) throw notFound(`Execution '${id}'`);
  return { ...executionView(execution), output: pageView(id, page) };
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

/** Waits, and tells of each new console line to whoever asked for progress. */
async function watched<T>(id: string, { services, onProgress }: CallContext, wait: () => Promise<T>): Promise<T> {
  if (onProgress === null) return wait();
  const { executions } = services;
  let told = false;
  const stop = executions.onLine(id, (line) => {
    told = true;
    onProgress(line);
  });
  try {
    const missed = lastLine((await executions.page(id, {}))?.data ?? '');
    if (!told && missed !== '') onProgress(missed);
    return await wait();
  } finally {
    stop();
  }
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}

const annotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };

export const runJs = defineTool({
  name: 'run_js',
  title: 'Run JavaScript',
  description:
    'Run JavaScript or TypeScript in a sandbox (no network, no files). Set wait_secs (say 30) to get the result at ' +
    'once; without it you get an execution_id to poll with get_execution. The value of the last expression is the ' +
    'result. Every run leaves a heap: pass it as `heap` and all variables, functions and classes are there again; ' +
    'without `heap` the run begins empty. Any earlier heap works, so you can branch or go back.',
  annotations,
  input,
  output,
  run,
  routes: [
    defineRoute({
      method: 'POST',
      path: '/api/exec',
      summary: 'Submit code',
      input: input.extend({ session: z.string().optional().describe('the session to log it in') }),
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
  const { execution, output, late } = await services.executions.runOnce(submission(args, null), options);
  const error = late ? 'Execution did not complete within polling timeout' : execution.error;
  return { output, result: execution.result, ...(error === null ? {} : { error }) };
}

export const statelessRunJs = defineTool({
  name: 'run_js',
  title: 'Run JavaScript',
  description:
    'Run JavaScript or TypeScript in a sandbox (no network, no files) and wait for it. Returns all console output ' +
    'and, as result, the value of the last expression. Nothing is kept between runs.',
  annotations,
  input: statelessInput,
  output: statelessOutput,
  run: runAndForget,
  routes: [
    defineRoute({
      method: 'POST',
      path: '/api/exec',
      summary: 'Run code and wait for it',
      input: statelessInput,
      output: statelessOutput,
      run: runAndForget,
    }),
  ],
});

/** What the owner lets the code of run_js reach. */
export interface RunJsReach {
  readonly run_js_tools: boolean;
  readonly fetch: { readonly allow: readonly { readonly host: string }[] };
}

const mostHosts = 10;

/** The same tool, and its description says so. */
export function reaching(tool: Tool, { run_js_tools, fetch: { allow } }: RunJsReach): Tool {
  const hosts = [...new Set(allow.map(({ host }) => host))];
  const named = hosts.length > mostHosts ? [...hosts.slice(0, mostHosts), '…'] : hosts;
  const tools =
    ' The code can call tools of other MCP servers: await tools.<server>.<tool>(args); search_tools(query) and ' +
    'describe_tool(server, tool) tell which there are.';
  const more = [...(run_js_tools ? [tools] : []), ...(named.length > 0 ? [` fetch reaches ${named.join(', ')}.`] : [])];
  return more.length === 0 ? tool : { ...tool, description: tool.description + more.join('') };
}
