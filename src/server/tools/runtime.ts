import type { Config } from '../../config/load.ts';
import { CayError } from '../../errors.ts';
import type { ExecuteRequest } from '../../runtimes/types.ts';
import { type CallContext, defineRoute, defineTool, type Tool } from '../tool.ts';
import { jobAdvice, queryAdvice } from './job-advice.ts';
import { jobOperation } from './job-operation.ts';
import {
  type ExecuteArguments,
  executeInput,
  executeOutput,
  executeView,
  maxCodeBytes,
  queryInput,
  queryOutput,
  queryView,
} from './runtime-fields.ts';

export type RuntimeSettings = Pick<Config, 'runtime' | 'repos' | 'tool_names'>;

/** The two tools of the governed runtimes, under the names that the configuration wants listed. */
export function runtimeTools(settings: RuntimeSettings): readonly [execute: Tool, queryOutput: Tool] {
  return [executeTool(settings), queryTool(settings)];
}

/** The documented name has dots. Claude Desktop withholds a whole server when one listed name has. */
function names(documented: string, { tool_names }: RuntimeSettings): { name: string; aliases: string[] } {
  const underscored = documented.replaceAll('.', '_');
  return tool_names === 'dotted'
    ? { name: documented, aliases: [underscored] }
    : { name: underscored, aliases: [documented] };
}

const executeName = 'sdl.runtime.execute';
const queryName = 'sdl.runtime.queryOutput';

export function executeOperation(settings: Pick<RuntimeSettings, 'runtime' | 'repos'>) {
  const [repoId = 'my-repo'] = Object.keys(settings.repos);
  return jobOperation({
    name: 'sdl_runtime_execute',
    group: 'Jobs',
    method: 'POST',
    path: '/api/runtime/execute',
    summary: 'Run a job in a repository',
    description:
      'Answers when the job has ended, with its status and a handle to its output. What the policy refuses has the ' +
      'status `denied`, and says why. The configuration key `runtime.enabled` switches it on.',
    example: { repoId, runtime: 'shell', code: 'seq 1000; echo oops >&2; exit 3' },
    refusals: ['closing'],
    input: executeInput(settings),
    output: executeOutput,
    run: async (args, { services, signal, onProgress }) =>
      executeView(await services.runtimes.execute(jobRequest(args), { signal, onProgress })),
  });
}

export const queryOperation = jobOperation({
  name: 'sdl_runtime_queryOutput',
  group: 'Jobs',
  method: 'POST',
  path: '/api/runtime/query-output',
  summary: 'Search the output of a job',
  description: 'The parts that have one of the terms, each with lines of context.',
  example: { queryTerms: ['oops'], contextLines: 1 },
  refusals: ['not_found', 'switched_off'],
  input: queryInput,
  output: queryOutput,
  run: async (args, { services }) => queryView(await services.runtimes.query(args)),
});

function executeTool(settings: RuntimeSettings): Tool {
  const operation = {
    ...executeOperation(settings),
    gate: async (given: unknown, { services }: CallContext) => {
      const refusal = await services.runtimes.gate(given);
      return refusal && executeView(refusal);
    },
  };
  const query = names(queryName, settings).name;
  return defineTool({
    ...operation,
    ...names(executeName, settings),
    title: 'Run code in a repository',
    description:
      `Run code, tests, builds or scripts of a repository in a jail${settings.runtime.network ? '' : ' without network'}. ` +
      'Answers with status, exit code and an artifactHandle, not with the output: look into that with ' +
      `${query} when the status says that it is worth it. To get output at once, set queryTerms with outputMode ` +
      '"intent" (the lines that match, with context) or "summary" (also head and tail).',
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: settings.runtime.network,
    },
    routes: [defineRoute(operation)],
    advise: (answer, args) => jobAdvice(answer, args, { query, maxTimeoutMs: settings.runtime.maxTimeoutMs }),
  });
}

function jobRequest({ executable, args, code, timeoutMs, ...others }: ExecuteArguments): ExecuteRequest {
  if (code === undefined && args === undefined) {
    throw new CayError('invalid_argument', 'code: expected code to run, or args for the executable, got neither');
  }
  const bytes = Buffer.byteLength(code ?? '');
  if (bytes > maxCodeBytes) throw new CayError('too_large', `code: expected at most 1 MB, got ${bytes} bytes`);
  return {
    ...others,
    executable: executable ?? null,
    args: args ?? [],
    code: code?.toWellFormed() ?? null,
    timeoutMs: timeoutMs ?? null,
  };
}

function queryTool(settings: RuntimeSettings): Tool {
  const operation = {
    ...queryOperation,
    gate: async () => {
      if (settings.runtime.enabled) return null;
      const { name } = names(queryName, settings);
      throw new CayError('switched_off', `${name} is switched off: set runtime.enabled to true in the configuration`);
    },
  };
  return defineTool({
    ...operation,
    ...names(queryName, settings),
    title: 'Search the output of a job',
    description:
      `The parts of a job's output that have one of the terms (literal, any case), each with lines of context. Takes ` +
      `the artifactHandle that ${names(executeName, settings).name} returned.`,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    routes: [defineRoute(operation)],
    advise: queryAdvice,
  });
}
