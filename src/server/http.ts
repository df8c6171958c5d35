import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { type Context, Hono, type Next } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { routePath } from 'hono/route';
import { CayError } from '../errors.ts';
import { createGuard, type GuardOptions } from './guard.ts';
import { createMcpEndpoint } from './mcp/http.ts';
import { type McpServerFactory, mcpServerFactory } from './mcp/server.ts';
import { createSseEndpoint } from './mcp/sse.ts';
import type { Metrics } from './metrics.ts';
import { errorResponse, failureResponse } from './rest/errors.ts';
import { notServed, restApi } from './rest/routes.ts';
import type { Services } from './services.ts';
import type { ToolTable } from './tools.ts';

/** 16 MiB of code may take three times that as JSON (`é` as `\u00e9`), and comes with an input. */
const maxBodyBytes = 64 * 2 ** 20;
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
  const app = new Hono();
  app.use(async (context, next) => {
    const began = performance.now();
    const refusal = guard(context.req.raw);
    const answered = refusal ?? (await withinLimit(context, next));
    if (answered) context.res = answered;
    const seconds = (performance.now() - began) / 1000;
    metrics.request(context.req.method, refusal ? '' : routePath(context, -1), context.res.status, seconds);
  });
  app.get('/health', (context) => context.json(health(services)));
  app.get('/metrics', async (context) =>
    context.text(await metrics.text(), 200, { 'Content-Type': metrics.contentType }),
  );
  const mcp = serveMcp(app, mcpServerFactory(services, table), services, options);
  app.route('/', restApi(services, table, options));
  app.notFound(({ req }) => notServed(req, app));
  app.onError((error) => failureResponse(error, services));
  const server = createServer(getRequestListener(app.fetch));
  server.keepAliveTimeout = keepAliveMs;
  return { url: await listen(server, options), close: () => close(server, mcp) };
}

/** Something that ends with the door. */
interface Closable {
  close(): Promise<void>;
}

function serveMcp(app: Hono, makeServer: McpServerFactory, services: Services, { transport }: HttpOptions): Closable {
  if (transport === 'http') {
    const mcp = createMcpEndpoint(makeServer, services);
    app.all('/mcp', ({ req }) => mcp.fetch(req.raw));
    return mcp;
  }
  const sse = createSseEndpoint(makeServer, '/message', services);
  app.all('/sse', ({ req }) => sse.stream(req.raw));
  app.all('/message', ({ req }) => sse.message(req.raw));
  return sse;
}

function health({ executions, version, stateless }: Services): Record<string, unknown> {
  return { status: 'ok', version, stateless, uptime_secs: Math.floor(process.uptime()), ...executions.counts };
}

const countBody = bodyLimit({ maxSize: maxBodyBytes, onError: tooLarge });

/** A length that was announced is enough to look at. Counting makes a web stream of the body (5 % of the thread's profile). */
async function withinLimit(context: Context, next: Next): Promise<Response | null> {
  if (context.req.header('transfer-encoding') !== undefined) return (await countBody(context, next)) ?? null;
  if (Number(context.req.header('content-length') ?? 0) > maxBodyBytes) return tooLarge();
  await next();
  return null;
}

function tooLarge(): Response {
  return errorResponse('too_large', `The body is larger than ${maxBodyBytes / 2 ** 20} MiB`);
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
