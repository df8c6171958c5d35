import type { HostFunctions } from '../engine/host.ts';
import { CayError } from '../errors.ts';
import { type AllowedServers, type Discovery, searchLimits } from './discovery.ts';
import { ToolError, type ToolErrorCode } from './tool-error.ts';

/** `search_tools` and `describe_tool` for a run: what they show ends at its allow-list, like what it may call. */
export function discoveryFunctions(discovery: Discovery, allowed: AllowedServers): HostFunctions {
  return {
    search_tools: {
      mode: 'sync',
      async call([query, options], signal) {
        const asked = query ?? '';
        if (typeof asked !== 'string') throw expected('the query', 'a string');
        if (asked.length > searchLimits.longestQuery) {
          throw expected('the query', `a string of at most ${searchLimits.longestQuery} characters`);
        }
        const { hits } = await discovery.search({ query: asked, limit: limitOf(options), allowed, signal });
        return hits;
      },
    },
    describe_tool: {
      mode: 'sync',
      async call([server, tool], signal) {
        if (typeof server !== 'string') throw expected('the server', 'a string');
        if (typeof tool !== 'string') throw expected('the tool', 'a string');
        try {
          return (await discovery.describe(server, tool, allowed, signal)).declaration;
        } catch (error) {
          throw asToolError(error);
        }
      },
    },
  };
}

function limitOf(options: unknown): number {
  if (options === undefined || options === null) return searchLimits.usual;
  const limit: unknown = Reflect.get(Object(options), 'limit') ?? searchLimits.usual;
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1) {
    throw expected('limit', `a whole number from 1 to ${searchLimits.most}`);
  }
  return Math.min(limit, searchLimits.most);
}

function expected(what: string, kind: string): ToolError {
  return new ToolError('INVALID_ARGS', `Expected ${what} to be ${kind}`);
}

const codes = new Map<string, ToolErrorCode>([
  ['server_not_found', 'SERVER_NOT_FOUND'],
  ['server_not_allowed', 'SERVER_NOT_ALLOWED'],
  ['tool_not_found', 'TOOL_NOT_FOUND'],
  ['cancelled', 'CANCELLED'],
]);

function asToolError(error: unknown): unknown {
  if (!(error instanceof CayError)) return error;
  return new ToolError(codes.get(error.code) ?? 'UPSTREAM_ERROR', error.message, { cause: error });
}
