import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  legacyStatelessFallback,
  PARSE_ERROR,
} from '@modelcontextprotocol/server';
import type { Services } from '../services.ts';
import { Connections } from './connections.ts';
import type { McpServerFactory } from './server.ts';
import { sessionName } from './session-name.ts';

/** `/mcp` for every revision. */
export interface McpEndpoint {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/**
 * Revision 2026-07-28 has no connections: each request stands alone and brings its session's name. Earlier ones begin
 * with `initialize`, and the name that came with it is that of the connection; a request without a connection is served
 * all the same.
 */
export function createMcpEndpoint(makeServer: McpServerFactory, { log }: Services): McpEndpoint {
  const onerror = (error: Error) => log.debug({ err: error }, 'MCP');
  const alone = ({ requestInfo }: { requestInfo?: Request }) => makeServer(sessionName(requestInfo));
  const modern = createMcpHandler(alone, { legacy: 'reject', onerror });
  const unconnected = legacyStatelessFallback(alone, onerror);
  const connections = new Connections(makeServer, onerror);

  const legacy = (request: Request, options: { parsedBody?: unknown }) => {
    const session = sessionName(request);
    const json = request.method === 'POST' && !readsStreams(request);
    const accepted = json ? accepting(request) : request;
    const id = request.headers.get('mcp-session-id');
    if (id !== null) return connections.serve(id, accepted, options);
    if (isInitializeRequest(options.parsedBody)) return connections.open(session, json, accepted, options);
    return json ? connections.once(session, accepted, options) : unconnected(request, options);
  };
  return {
    async fetch(request) {
      if (request.method !== 'POST') return legacy(request, {});
      const parsedBody = parse(await request.text());
      if (parsedBody === undefined) return parseError();
      const isLegacy = await isLegacyRequest(request, parsedBody);
      return isLegacy ? legacy(request, { parsedBody }) : modern.fetch(request, { parsedBody });
    },
    async close() {
      await Promise.all([modern.close(), connections.close()]);
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseError(): Response {
  const error = { code: PARSE_ERROR, message: 'Parse error: Invalid JSON' };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 400 });
}

function readsStreams({ headers }: Request): boolean {
  const accept = headers.get('accept') ?? '';
  return accept.includes('text/event-stream') && accept.includes('application/json');
}

/** The transport insists on an Accept header that the documents' own curl line does not have. */
function accepting(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.set('accept', 'application/json, text/event-stream');
  return new Request(request.url, { method: request.method, headers, signal: request.signal });
}
