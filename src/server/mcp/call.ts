import type { CallToolRequestParams, CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { CayError } from '../../errors.ts';
import type { Services } from '../services.ts';
import type { CallContext, Tool } from '../tool.ts';
import type { ToolTable } from '../tools.ts';
import { progressReporter } from './progress.ts';
import { unknownTool } from './unknown-tool.ts';

/** Calls a tool for an MCP client. A refusal is a result with `isError`, so that the model reads it. */
export async function callTool(
  { name, arguments: given }: CallToolRequestParams,
  request: ServerContext,
  { table, services, session }: { table: ToolTable; services: Services; session: string | null },
): Promise<CallToolResult> {
  const isNamed = (one: Tool) => one.name === name || one.aliases?.includes(name) === true;
  const tool = table.tools.find(isNamed) ?? table.unlisted.find(isNamed);
  if (!tool) return refuseUnknown(name, table, services);
  const progress = progressReporter(request);
  const meta: Record<string, unknown> = {};
  const context: CallContext = {
    services,
    session,
    signal: request.mcpReq.signal,
    onProgress: progress?.report ?? null,
    onExecution: (id) => {
      meta['cay/execution_id'] = id;
    },
  };
  try {
    const answer = answered(await tool.call(given ?? {}, context));
    return Object.keys(meta).length === 0 ? answer : { ...answer, _meta: meta };
  } catch (error) {
    if (error instanceof CayError) return refused(error.message);
    return failed(error, tool, request, services);
  } finally {
    progress?.stop();
  }
}

function answered(body: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(body) }], structuredContent: body };
}

function refused(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

function refuseUnknown(name: string, table: ToolTable, services: Services): CallToolResult {
  const reason = table.off.get(name);
  if (reason !== undefined) return refused(`${name} is switched off: ${reason}`);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownTool(name, table, services));
}

/** Ours, not the caller's: the details are for the owner's log. */
function failed(error: unknown, { name }: Tool, { mcpReq }: ServerContext, { log }: Services): CallToolResult {
  log.error({ err: error, tool: name }, 'a tool call failed');
  const text = `${name} failed inside the server; its log has the details`;
  mcpReq.log('error', text, 'cay').catch(() => {}); // for clients that follow the server's log; this one has gone
  return refused(text);
}
