import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { promisify } from 'node:util';
import { createAdaptorServer } from '@hono/node-server';
import {
  createMcpHandler,
  isInitializeRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { ToolboxOptions } from './options.ts';
import { createToolbox } from './toolbox-server.ts';

export interface HttpToolbox {
  /** Where it speaks MCP. */
  readonly url: string;
  readonly port: number;
  /** Every request that came: its method and its Authorization header. */
  readonly seen: readonly { readonly method: string; readonly authorization: string | null }[];
  /** Forgets all sessions, as a restart does. */
  forget(): void;
  /** How many connections are open. */
  connections(): Promise<number>;
  /** Breaks every connection and stops listening. */
  close(): Promise<void>;
}

/** The toolbox over Streamable HTTP, in this process, on loopback. */
export async function startHttpToolbox(options: ToolboxOptions = {}): Promise<HttpToolbox> {
  const makeServer = createToolbox(options);
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const modern = createMcpHandler(makeServer, { legacy: 'reject' });
  const seen: { method: string; authorization: string | null }[] = [];
  const answer = async (request: Request): Promise<Response> => {
    const authorization = request.headers.get('authorization');
    seen.push({ method: request.method, authorization });
    if (options.token !== undefined && authorization !== `Bearer ${options.token}`) {
      return new Response(`not with ${authorization}`, { status: 401 });
    }
    return options.modern ? modern.fetch(request) : serveSession(request, makeServer, sessions);
  };
  const http = createAdaptorServer({ fetch: answer });
  const port = await listen(http, options.port ?? 0);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    port,
    seen,
    forget: () => sessions.clear(),
    connections: () => promisify(http.getConnections.bind(http))(),
    close: async () => {
      const closed = once(http, 'close');
      http.close();
      if ('closeAllConnections' in http) http.closeAllConnections();
      await closed;
    },
  };
}

async function serveSession(
  request: Request,
  makeServer: () => Server,
  sessions: Map<string, WebStandardStreamableHTTPServerTransport>,
): Promise<Response> {
  const id = request.headers.get('mcp-session-id');
  if (id !== null) {
    return sessions.get(id)?.handleRequest(request) ?? Response.json({ error: 'Session not found' }, { status: 404 });
  }
  const parsedBody: unknown = request.method === 'POST' ? await request.json() : null;
  if (!isInitializeRequest(parsedBody)) return new Response('initialize first', { status: 400 });
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (session) => void sessions.set(session, transport),
    onsessionclosed: (session) => void sessions.delete(session),
  });
  await makeServer().connect(transport);
  return transport.handleRequest(request, { parsedBody });
}

export async function listen(http: ReturnType<typeof createAdaptorServer> | HttpServer, port: number): Promise<number> {
  http.listen(port, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('it listens on no port');
  return address.port;
}
