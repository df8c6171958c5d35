import {
  INVALID_REQUEST,
  isJsonContentType,
  type JSONRPCMessage,
  PARSE_ERROR,
  parseJSONRPCMessage,
} from '@modelcontextprotocol/server';
import { type StdioServerHandle, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Services } from '../services.ts';
import type { McpServerFactory } from './server.ts';
import { sessionName } from './session-name.ts';
import { SseTransport } from './sse-transport.ts';

/** Each holds a connection open. Those who are there keep theirs; whoever comes later is refused. */
const maxStreams = 1024;

/** The legacy transport: `/sse` and `/message`. */
export interface SseEndpoint {
  /** Opens a stream, which is the connection: it ends with the stream. */
  stream(request: Request): Response;
  /** Takes a message; its answer is an event of the stream that `sessionId` names. */
  message(request: Request): Promise<Response>;
  close(): Promise<void>;
}

interface Stream {
  readonly transport: SseTransport;
  readonly handle: StdioServerHandle;
}

export function createSseEndpoint(makeServer: McpServerFactory, messagePath: string, { log }: Services): SseEndpoint {
  const open = new Map<string, Stream>();
  const onerror = (error: Error) => log.debug({ err: error }, 'MCP');
  return {
    stream(request) {
      // Not for HEAD either: nobody would read the stream, nor end it.
      if (request.method !== 'GET') return notAllowed('GET');
      if (open.size >= maxStreams) return refusal(429, -32_000, `${maxStreams} streams are open already`);
      const session = sessionName(request);
      const transport = new SseTransport(messagePath, () => open.delete(transport.id));
      // It decides on the revision for any connection that lasts, whatever carries it.
      const handle = serveStdio(() => makeServer(session), { transport, onerror });
      open.set(transport.id, { transport, handle });
      // The body's own `cancel` does not come where the client has gone before it is read.
      if (request.signal.aborted) void transport.close();
      else request.signal.addEventListener('abort', () => void transport.close(), { once: true });
      return new Response(transport.events, {
        headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache', 'X-Accel-Buffering': 'no' },
      });
    },
    async message(request) {
      if (request.method !== 'POST') return notAllowed('POST');
      const stream = open.get(new URL(request.url).searchParams.get('sessionId') ?? '');
      if (!stream) return refusal(404, -32_001, 'Session not found: open a stream with GET /sse');
      if (!isJsonContentType(request.headers.get('content-type'))) {
        return refusal(415, -32_000, 'Content-Type: expected application/json');
      }
      const message = parse(await request.text());
      if (message instanceof Response) return message;
      stream.transport.receive(message);
      return new Response('Accepted', { status: 202 });
    },
    async close() {
      await Promise.all([...open.values()].map(({ handle }) => handle.close()));
    },
  };
}

function parse(text: string): JSONRPCMessage | Response {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return refusal(400, PARSE_ERROR, 'Parse error: Invalid JSON');
  }
  try {
    return parseJSONRPCMessage(body);
  } catch {
    return refusal(400, INVALID_REQUEST, 'Invalid Request: expected one JSON-RPC message');
  }
}

function notAllowed(method: string): Response {
  return refusal(405, -32_000, `Method not allowed: use ${method}`, { Allow: method });
}

function refusal(status: number, code: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
}
