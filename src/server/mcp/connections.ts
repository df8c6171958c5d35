import { randomUUID } from 'node:crypto';
import {
  type HandleRequestOptions,
  isJSONRPCRequest,
  type RequestId,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { McpServerFactory } from './server.ts';

/** Clients rarely say goodbye. Past this many connections the one that was silent longest is forgotten. */
const maxConnections = 4096;

interface Connection {
  readonly server: Server;
  /** Its answers come with their requests: when one of these is cut off, nobody gets the answer. */
  readonly json: boolean;
  readonly transport: WebStandardStreamableHTTPServerTransport;
}

/** The connections that clients of the 2025 revisions opened with `initialize`. */
export class Connections {
  /** In the order of their last use. */
  readonly #open = new Map<string, Connection>();
  readonly #makeServer: McpServerFactory;
  readonly #onerror: (error: Error) => void;

  constructor(makeServer: McpServerFactory, onerror: (error: Error) => void) {
    this.#makeServer = makeServer;
    this.#onerror = onerror;
  }

  /** `json`: the client does not read event streams, so it gets no progress. */
  async open(
    session: string | null,
    json: boolean,
    request: Request,
    options: HandleRequestOptions,
  ): Promise<Response> {
    const server = this.#makeServer(session);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: json,
      onsessioninitialized: (id) => this.#add(id, { server, json, transport }),
      onsessionclosed: (id) => {
        this.#open.delete(id);
      },
    });
    server.onerror = this.#onerror;
    await server.connect(transport);
    return transport.handleRequest(request, options);
  }

  async serve(id: string, request: Request, options: HandleRequestOptions): Promise<Response> {
    const connection = this.#open.get(id);
    if (!connection) return unknownConnection();
    this.#open.delete(id);
    this.#open.set(id, connection);
    const { json, transport } = connection;
    const cancel = () => {
      for (const requestId of requestIds(options.parsedBody)) {
        transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
      }
    };
    if (json) request.signal.addEventListener('abort', cancel, { once: true });
    return transport.handleRequest(request, options);
  }

  /** A request without a connection, from a client that does not read event streams. */
  async once(session: string | null, request: Request, options: HandleRequestOptions): Promise<Response> {
    const server = this.#makeServer(session);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    server.onerror = this.#onerror;
    await server.connect(transport);
    request.signal.addEventListener('abort', () => void server.close().catch(this.#onerror), { once: true });
    try {
      return await transport.handleRequest(request, options);
    } finally {
      await server.close();
    }
  }

  async close(): Promise<void> {
    const all = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(all.map(({ server }) => server.close()));
  }

  #add(id: string, connection: Connection): void {
    this.#open.set(id, connection);
    const [oldest] = this.#open;
    if (this.#open.size <= maxConnections || !oldest) return;
    this.#open.delete(oldest[0]);
    oldest[1].server.close().catch(this.#onerror);
  }
}

function requestIds(body: unknown): RequestId[] {
  return [body].flat().flatMap((message) => (isJSONRPCRequest(message) ? [message.id] : []));
}

/** The answer that makes a client begin anew, as after a restart of the server. */
function unknownConnection(): Response {
  const error = { code: -32_001, message: 'Session not found' };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 });
}
