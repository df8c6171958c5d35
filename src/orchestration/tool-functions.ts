import { z } from 'zod';
import { type HostFunction, type HostFunctions, JsonText } from '../engine/host.ts';
import type { AskedCall, ToolCalls } from './tool-calls.ts';
import { ToolError } from './tool-error.ts';
import { Turns } from './turns.ts';

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
const anything = z.unknown().optional();
const batch = z.array(z.looseObject({ server: anything, tool: anything, args: anything }));
const batchOptions = z.strictObject({ max_parallel: z.int().min(1).max(parallel.most).default(parallel.usual) });

function callTools(calls: ToolCalls): HostFunction {
  return {
    mode: 'sync',
    call: async ([given, options], signal) => {
      const asked = batch.safeParse(given);
      if (!asked.success) throw invalid('an array of {server, tool, args}');
      const chosen = batchOptions.safeParse(options ?? {});
      if (!chosen.success) throw invalid(`{max_parallel} from 1 to ${parallel.most} as options`);
      const batched = asked.data.map(({ server, tool, args }) => ({ server, tool, args }));
      calls.admit(batched);
      const turns = new Turns(chosen.data.max_parallel);
      let characters = 0;
      const one = async (call: AskedCall) => {
        const answer = await answered(calls, call, signal);
        characters += answer.length;
        return characters > largestBatch ? tooLarge : answer;
      };
      const answers = await Promise.all(batched.map((call) => turns.take(signal, () => one(call))));
      return new JsonText(`[${answers.join(',')}]`);
    },
  };
}

/** What the part of the prelude asks: for a call, or for the names that there are. */
function tools(calls: ToolCalls): HostFunction {
  return {
    mode: 'async',
    call: async ([question, givenServer, givenTool, args], signal) => {
      if (question === 'servers') return calls.serverNames();
      const server = calls.resolveServer(givenServer);
      if (question === 'tools') {
        calls.permit(server);
        return calls.toolNames(String(server), signal);
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
