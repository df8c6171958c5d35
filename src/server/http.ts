import { createServer, type Server } from 'node:http';
import { CayError } from '../errors.ts';
import { createGuard, type GuardOptions } from './guard.ts';
import { createMcpEndpoint } from './mcp/http.ts';
import { type McpServerFactory, mcpServerFactory } from './mcp/server.ts';
import { createSseEndpoint } from './mcp/sse.ts';
import type { Metrics } from './metrics.ts';
import { notServed, serveRest } from './rest/routes.ts';
import type { Services } from './services.ts';
import type { ToolTable } from './tools.ts';
import { failureAnswer, jsonAnswer } from './web/answer.ts';
import { bodyTooLarge, maxBodyBytes } from './web/body.ts';
import { Exchange } from './web/exchange.ts';
import { fetching } from './web/fetching.ts';
import { anyMethod, type Found, Router } from './web/router.ts';

/** Longer than a client pauses between two calls: Node's own 5 s ends connections that are about to be used. */
const keepAliveMs = 65_000;

export interface HttpDoor {
  /** `http://127.0.0.1:8080` */
  readonly url: string;
  /** Takes no more requests and ends those that are open. */
  close(): Promise<void>;
}

export interface HttpOptions extends GuardOptions {
  readonly port: number;
  /** How MCP is spoken there: Streamable HTTP, or the legacy HTTP with SSE. */
  readonly transport: 'http' | 'sse';
  /** Of the whole server: every port shows the same. */
  readonly metrics: Metrics;
}

/** Listens for MCP, REST, health and metrics on one port. */
export async function openHttp(services: Services, table: ToolTable, options: HttpOptions): Promise<HttpDoor> {
  const guard = createGuard(options);
  const { metrics } = options;
  const router = new Router();
  router.add('GET', '/health', () => jsonAnswer(health(services)));
  router.add('GET', '/metrics', async () => ({ status: 200, type: metrics.contentType, body: await metrics.text() }));
  const mcp = serveMcp(router, mcpServerFactory(services, table), services, options);
  serveRest(router, services, table, options);
  const onAnswer = ({ method, route, began }: Exchange, status: number) =>
    metrics.request(method, route, status, (performance.now() - began) / 1000);
  const server = createServer((incoming, outgoing) => {
    const exchange = new Exchange(incoming, outgoing, onAnswer);
    const refusal =
      guard(exchange) ?? (exchange.announcedBytes > maxBodyBytes ? failureAnswer(bodyTooLarge(), services) : null);
    const found = refusal ? null : router.find(exchange.method, exchange.path);
    if (found) void serve(exchange, found, services);
    else exchange.answer(refusal ?? notServed(exchange, router));
  });
  server.keepAliveTimeout = keepAliveMs;
  return { url: await listen(server, options), close: () => close(server, mcp) };
}

async function serve(exchange: Exchange, { handler, path, params }: Found, services: Services): Promise<void> {
  exchange.route = path;
  exchange.params = params;
  try {
    const answer = await handler(exchange);
    if (answer) exchange.answer(answer);
  } catch (error) {
    exchange.answer(failureAnswer(error, services));
  }
}

/** Something that ends with the door. */
interface Closable {
  close(): Promise<void>;
}

function serveMcp(
  router: Router,
  makeServer: McpServerFactory,
  services: Services,
  { transport }: HttpOptions,
): Closable {
  if (transport === 'http') {
    const mcp = createMcpEndpoint(makeServer, services);
    router.add(anyMethod, '/mcp', fetching(mcp.fetch, services));
    return mcp;
  }
  const sse = createSseEndpoint(makeServer, '/message', services);
  router.add(anyMethod, '/sse', fetching(sse.stream, services));
  router.add(anyMethod, '/message', fetching(sse.message, services));
  return sse;
}

function health({ executions, version, stateless }: Services): Record<string, unknown> {
  return { status: 'ok', version, stateless, uptime_secs: Math.floor(process.uptime()), ...executions.counts };
}

function listen(server: Server, { port, bindHost, transport }: HttpOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const taken = 'code' in error && error.code === 'EADDRINUSE';
      const reason = taken ? `the port is taken, choose another with --${transport}-port` : error.message;
      reject(new CayError('cannot_listen', `Cannot listen on ${bindHost}:${port}: ${reason}`, { cause: error }));
    });
    server.listen(port, bindHost, () => {
      const address = server.address();
      const listening = typeof address === 'object' && address !== null ? address.port : port;
      resolve(`http://${bindHost.includes(':') ? `[${bindHost}]` : bindHost}:${listening}`);
    });
  });
}

async function close(server: Server, mcp: Closable): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  await mcp.close();
  server.closeAllConnections();
  await closed;
}
