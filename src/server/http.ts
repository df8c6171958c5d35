import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
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

/** 16 MiB of code may take twice that as JSON, and comes with an input. */
const maxBodyBytes = 40 * 2 ** 20;

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
  app.use(bodyLimit({ maxSize: maxBodyBytes, onError: tooLarge }));
  app.get('/health', (context) => context.json(health(services)));
  app.get('/metrics', async (context) =>
    context.text(await metrics.text(), 200, { 'Content-Type': metrics.contentType }),
  );
  app.all('/mcp', ({ req }) => mcp.fetch(req.raw));
  app.route('/', restApi(services, table));
  app.notFound(({ req }) => errorResponse('not_found', `${req.method} ${req.path} is not served here`));
  app.onError((error) => failureResponse(error, services));
  const server = createServer(getRequestListener(app.fetch));
  return { url: await listen(server, options), close: () => close(server, mcp) };
}

function health({ executions, version, stateless }: Services): Record<string, unknown> {
  return { status: 'ok', version, stateless, uptime_secs: Math.floor(process.uptime()), ...executions.counts };
}

function tooLarge(): Response {
  return errorResponse('too_large', `The body is larger than ${maxBodyBytes / 2 ** 20} MiB`);
}

function listen(server: Server, { port, bindHost }: HttpOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(new CayError('cannot_listen', `Cannot listen on ${bindHost}:${port}: ${error.message}`, { cause: error }));
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
