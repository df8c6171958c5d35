import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { type Context, Hono, type Next } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { routePath } from 'hono/route';
import { CayError } from '../errors.ts';
import { createGuard, type GuardOptions } from './guard.ts';
import { createMcpEndpoint, type McpEndpoint } from './mcp/http.ts';
import { mcpServerFactory } from './mcp/server.ts';
import { createMetrics } from './metrics.ts';
import { errorResponse, failureResponse } from './rest/errors.ts';
import { restApi } from './rest/routes.ts';
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
}

/** Listens for MCP, REST, health and metrics on one port. */
export async function openHttp(services: Services, table: ToolTable, options: HttpOptions): Promise<HttpDoor> {
  const guard = createGuard(options);
  const mcp = createMcpEndpoint(mcpServerFactory(services, table), services);
  const metrics = createMetrics(services);
  const app = new Hono();
  app.use(async (context, next) => {
    const began = performance.now();
    const refusal = guard(context.req.raw);
    if (refusal) context.res = refusal;
    else await next();
    const seconds = (performance.now() - began) / 1000;
    metrics.request(context.req.method, refusal ? '' : routePath(context, -1), context.res.status, seconds);
  });
  app.use(limitBody);
  app.get('/health', (context) => context.json(health(services)));
  app.get('/metrics', async (context) =>
    context.text(await metrics.text(), 200, { 'Content-Type': metrics.contentType }),
  );
  app.all('/mcp', ({ req }) => mcp.fetch(req.raw));
  app.route('/', restApi(services, table));
  app.notFound(({ req }) => errorResponse('not_found', `${req.method} ${req.path} is not served here`));
  app.onError((error) => failureResponse(error, services));
  const server = createServer(getRequestListener(app.fetch));
  server.keepAliveTimeout = keepAliveMs;
  return { url: await listen(server, options), close: () => close(server, mcp) };
}

function health({ executions, version, stateless }: Services): Record<string, unknown> {
  return { status: 'ok', version, stateless, uptime_secs: Math.floor(process.uptime()), ...executions.counts };
}

const countBody = bodyLimit({ maxSize: maxBodyBytes, onError: tooLarge });

/** A length that was announced is enough to look at. Counting makes a web stream of the body (5 % of the thread's profile). */
async function limitBody(context: Context, next: Next): Promise<Response | undefined> {
  if (context.req.header('transfer-encoding') !== undefined) return (await countBody(context, next)) ?? undefined;
  if (Number(context.req.header('content-length') ?? 0) > maxBodyBytes) return tooLarge();
  await next();
  return undefined;
}

function tooLarge(): Response {
  return errorResponse('too_large', `The body is larger than ${maxBodyBytes / 2 ** 20} MiB`);
}

function listen(server: Server, { port, bindHost }: HttpOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const taken = 'code' in error && error.code === 'EADDRINUSE';
      const reason = taken ? 'the port is taken, choose another with --http-port' : error.message;
      reject(new CayError('cannot_listen', `Cannot listen on ${bindHost}:${port}: ${reason}`, { cause: error }));
    });
    server.listen(port, bindHost, () => {
      const address = server.address();
      const listening = typeof address === 'object' && address !== null ? address.port : port;
      resolve(`http://${bindHost.includes(':') ? `[${bindHost}]` : bindHost}:${listening}`);
    });
  });
}

async function close(server: Server, mcp: McpEndpoint): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  await mcp.close();
  server.closeAllConnections();
  await closed;
}
