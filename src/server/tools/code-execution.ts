import { z } from 'zod';
import { CayError } from '../../errors.ts';
import { type CodeAnswer, CodeRun } from '../../orchestration/code-run.ts';
import { named } from '../named.ts';
import { type CallContext, defineRoute, defineTool, type Route } from '../tool.ts';
import { codeAdvice } from './code-advice.ts';

const options = z.strictObject({
  timeout_ms: z.number().min(1).max(600_000).optional().describe('Execution timeout in milliseconds (1-600000)'),
  max_tool_calls: z
    .number()
    .min(0)
    .refine(Number.isInteger, 'expected a whole number') // half a call would be none, and none is any number
    .optional()
    .describe('Maximum number of tool calls (0 = unlimited)'),
  allowed_servers: z
    .array(z.string())
    .optional()
    .describe('Array of server names allowed to be called (empty = all allowed)'),
  include_logs: z.boolean().optional().describe('Return the console output of a success too'),
});

const input = z.strictObject({
  code: z.string().describe('JavaScript or TypeScript source code (ES2020+) to execute'),
  language: z
    .enum(['javascript', 'typescript'])
    .default('javascript')
    .describe(
      "Source code language. When set to 'typescript', the code is automatically transpiled to JavaScript before execution.",
    ),
  input: z.looseObject({}).default({}).describe('Input data accessible as global `input` variable in code'),
  options: options.default({}).describe('Execution options'),
});

const output = named(
  'CodeAnswer',
  z.object({
    ok: z.boolean(),
    value: z.unknown().optional().describe('what the code returned'),
    error: z
      .object({ code: z.string(), message: z.string(), stack: z.string(), details: z.string().optional() })
      .optional(),
    calls_made: z.int().optional().describe('tool calls made before the failure'),
    logs: z.string().optional().describe('the end of the console output'),
  }),
);

async function run(args: z.output<typeof input>, context: CallContext): Promise<CodeAnswer> {
  const { executions, upstreams, discovery, codeDefaults, log } = context.services;
  const { timeout_ms, max_tool_calls, allowed_servers, include_logs } = args.options;
  const codeRun = new CodeRun({
    upstreams,
    discovery,
    language: args.language,
    maxToolCalls: max_tool_calls ?? codeDefaults.maxToolCalls,
    allowedServers: allowed_servers ?? [],
    includeLogs: include_logs ?? false,
    onProgress: context.onProgress,
    onConsole: log.isLevelEnabled('debug')
      ? (bytes) => log.debug({ console: bytes.toString() }, 'code_execution')
      : null,
  });
  const request = {
    kind: 'code_execution',
    code: args.code,
    input: args.input,
    timeoutMs: Math.ceil(timeout_ms ?? codeDefaults.timeoutMs),
    host: ({ calls }: { calls: Parameters<CodeRun['host']>[0] }) => codeRun.host(calls),
  } as const;
  try {
    const execution = await executions.complete(request, context.signal);
    context.onExecution?.(execution.id);
    return codeRun.answer(execution);
  } catch (error) {
    if (!codeRun.isOver) throw error;
    log.error({ err: error }, 'a code_execution could not be kept');
    return codeRun.answer(); // it has run, and its calls have been made
  }
}

export const codeExecution = defineTool({
  name: 'code_execution',
  title: 'Run code that calls tools',
  description:
    'Execute JavaScript code that orchestrates multiple upstream MCP tools in a single request: write one script ' +
    'instead of many calls, and only its value comes back. In it: call_tool(server, tool, args) waits and returns ' +
    '{ok: true, result} or {ok: false, error: {message, code}}; call_tools([{server, tool, args}, …]) does so in ' +
    'parallel; await tools.<server>.<tool>(args) gives the result or throws; search_tools(query) and ' +
    'describe_tool(server, tool) tell which tools there are. `input` is the input given here. The value of the last ' +
    'expression, or of return, must be JSON. Nothing is kept between runs; no modules, timers, files or network.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input,
  output,
  run,
  advise: (answer, _, { services }) => codeAdvice(answer, services.upstreams.names),
  routes: [
    defineRoute({
      name: 'code_execution',
      group: 'Code that calls tools',
      method: 'POST',
      path: '/api/code/exec',
      summary: 'Run code that calls tools',
      description:
        'Answers when the run has ended, with its value, or with `ok: false` and how far it came. The configuration key ' +
        '`enable_code_execution` switches it on.',
      example: { code: 'search_tools(input.about)', input: { about: 'sum' } },
      refusals: ['switched_off', 'queue_full', 'closing'],
      input,
      output,
      run,
    }),
  ],
});

/** What switches it on. */
export const codeExecutionSetting = 'set `enable_code_execution` to true in the configuration';

/** The same doors, where it is switched off. */
export function refusing(routes: readonly Route[]): Route[] {
  return routes.map((route) => ({
    ...route,
    call: async () => {
      throw new CayError('switched_off', `${route.method} ${route.path} is switched off: ${codeExecutionSetting}`);
    },
  }));
}
