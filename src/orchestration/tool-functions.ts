import { z } from 'zod';
import { type HostFunction, type HostFunctions, JsonText } from '../engine/host.ts';
import type { AskedCall, ToolCalls } from './tool-calls.ts';
import { ToolError } from './tool-error.ts';

/** The ways in which code calls tools: `call_tool` and `call_tools`, which wait, and `tools`, which gives promises. */
export function toolFunctions(calls: ToolCalls): HostFunctions {
  return { call_tool: callTool(calls), call_tools: callTools(calls), ...toolsFunction(calls) };
}

/** A function about a server, its first argument: it ends at the allow-list like the calls, and with the same error. */
export function permitted(calls: ToolCalls, { mode, call }: HostFunction): HostFunction {
  return {
    mode,
    call(args, signal) {
      calls.permit(calls.resolveServer(args[0]));
      return call(args, signal);
    },
  };
}

/** `tools` alone, for code that can wait by itself. */
export function toolsFunction(calls: ToolCalls): HostFunctions {
  return { tools: tools(calls) };
}

function callTool(calls: ToolCalls): HostFunction {
  return {
    mode: 'sync',
    call: async ([server, tool, args], signal) => {
      const asked = { server, tool, args };
      calls.admit([asked]);
      return new JsonText(await answered(calls, asked, signal));
    },
  };
}

const parallel = { usual: 10, most: 100 };
/** Of the answers of one batch together; those beyond are errors. A usual heap of 128 MB holds it twice, as text and as values. */
const largestBatch = 40 * 2 ** 20;
const tooLarge = JSON.stringify({
  ok: false,
  error: { message: 'The results of this batch are too large together: ask for less at once', code: 'UPSTREAM_ERROR' },
});
/** Of calls in one batch: more would keep the server busy before the first one leaves. */
const mostInBatch = 10_000;
const batchOptions = z.strictObject({ max_parallel: z.int().min(1).max(parallel.most).default(parallel.usual) });

function callTools(calls: ToolCalls): HostFunction {
  return {
    mode: 'sync',
    call: async ([given, options], signal) => {
      if (!Array.isArray(given) || !given.every(isEntry)) throw invalid('an array of {server, tool, args}');
      if (given.length > mostInBatch) throw invalid(`at most ${mostInBatch} calls at once, got ${given.length}`);
      const chosen = batchOptions.safeParse(options ?? {});
      if (!chosen.success) throw invalid(`{max_parallel} from 1 to ${parallel.most} as options`);
      const batched = given.map(({ server, tool, args }): AskedCall => ({ server, tool, args }));
      calls.admit(batched);
      let characters = 0;
      const one = async (call: AskedCall) => {
        const answer = await answered(calls, call, signal);
        characters += answer.length;
        return characters > largestBatch ? tooLarge : answer;
      };
      const answers = await inOrder(batched, chosen.data.max_parallel, one);
      return new JsonText(`[${answers.join(',')}]`);
    },
  };
}

function isEntry(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

/** Works on so many at once; the results are in the order of the items. */
async function inOrder<T, R>(items: readonly T[], atOnce: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const left = items.entries();
  const worker = async () => {
    for (const [index, item] of left) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}

/** What the part of the prelude asks: for a call, or for the names that there are. */
function tools(calls: ToolCalls): HostFunction {
  return {
    mode: 'async',
    call: async ([question, givenServer, givenTool, args], signal) => {
      if (question === 'servers') return calls.serverNames();
      const server = calls.resolveServer(givenServer);
      if (question === 'tools') {
        if (typeof server !== 'string') throw new ToolError('INVALID_ARGS', 'Expected the server to be its name');
        calls.permit(server);
        return calls.toolNames(server, signal);
      }
      const asked = { server, tool: givenTool, args: args ?? {} };
      calls.admit([asked]);
      const tool = await calls.resolveTool(server, givenTool, signal);
      return new JsonText(await calls.make({ ...asked, tool }, signal));
    },
  };
}

/** `{ok, result}` or `{ok, error}`, as JSON. What ended the run is thrown: nobody reads it. */
async function answered(calls: ToolCalls, asked: AskedCall, signal: AbortSignal): Promise<string> {
  try {
    return `{"ok":true,"result":${await calls.make(asked, signal)}}`;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return JSON.stringify({ ok: false, error: { message: error.message, code: error.code } });
  }
}

function invalid(expected: string): ToolError {
  return new ToolError('INVALID_ARGS', `call_tools: expected ${expected}`);
}
