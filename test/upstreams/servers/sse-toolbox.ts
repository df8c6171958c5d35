import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import { type HttpToolbox, listen } from './http-toolbox.ts';
import type { ToolboxOptions } from './options.ts';
import { createToolbox } from './toolbox-server.ts';

/** The toolbox over the transport of 2024: a stream of events, and a place to post to. */
export async function startSseToolbox(options: ToolboxOptions = {}): Promise<HttpToolbox> {
  const makeServer = createToolbox(options);
  const sessions = new Map<string, SseTransport>();
  const seen: { method: string; authorization: string | null }[] = [];

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', headers } = request;
    const url = new URL(request.url ?? '', 'http://127.0.0.1');
    seen.push({ method, authorization: headers.authorization ?? null });
    if (options.token !== undefined && headers.authorization !== `Bearer ${options.token}`) {
      response.writeHead(401).end();
    } else if (method === 'GET' && url.pathname === '/sse') {
      const id = randomUUID();
      const transport = new SseTransport(response, `/messages?session=${id}`);
      sessions.set(id, transport);
      response.on('close', () => sessions.delete(id));
      await makeServer().connect(transport);
    } else if (method === 'POST' && url.pathname === '/messages') {
      const transport = sessions.get(url.searchParams.get('session') ?? '');
      response.writeHead(transport ? 202 : 404).end();
      transport?.receive(await text(request));
    } else {
      response.writeHead(405).end();
    }
  };
  const http = createServer((request, response) => void answer(request, response));
  const port = await listen(http, options.port ?? 0);
  return {
    url: `http://127.0.0.1:${port}/sse`,
    port,
    seen,
    forget: () => sessions.clear(),
    connections: () => promisify(http.getConnections.bind(http))(),
    close: async () => {
      const closed = once(http, 'close');
      http.close();
      http.closeAllConnections();
      await closed;
    },
  };
}

class SseTransport implements Transport {
  readonly #response: ServerResponse;
  readonly #endpoint: string;
  onclose?: () => void;
  onmessage?: (message: JSONRPCMessage) => void;

  constructor(response: ServerResponse, endpoint: string) {
    this.#response = response;
    this.#endpoint = endpoint;
  }

  async start(): Promise<void> {
    this.#response.writeHead(200, { 'content-type': 'text/event-stream' });
    this.#response.write(`event: endpoint\ndata: ${this.#endpoint}\n\n`);
    this.#response.on('close', () => this.onclose?.());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  async close(): Promise<void> {
    this.#response.end();
  }

  receive(body: string): void {
    this.onmessage?.(parseJSONRPCMessage(JSON.parse(body)));
  }
}
