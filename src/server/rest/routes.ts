import { type Context, Hono, type HonoRequest } from 'hono';
import { docsPage } from '../docs/page.ts';
import type { GuardOptions } from '../guard.ts';
import type { Services } from '../services.ts';
import type { Route } from '../tool.ts';
import type { ToolTable } from '../tools.ts';
import { errorResponse } from './errors.ts';
import { streamEvents } from './events.ts';
import { givenArguments } from './given.ts';
import { openApi } from './openapi.ts';
import { describeApi } from './operations.ts';
import { docsRoute, eventsRoute, openApiRoute } from './own-routes.ts';

/** `/api/*`: the routes of the table, the event stream, and their description, for programs and for people. */
export function restApi(services: Services, table: ToolTable, { authToken }: Pick<GuardOptions, 'authToken'>): Hono {
  const app = new Hono();
  for (const route of table.routes) {
    app.on(route.method, honoPath(route.path), (context) => serve(route, context, services));
  }
  if (!services.stateless) {
    app.get(honoPath(eventsRoute.path), (context) => streamEvents(context, services));
  }
  const api = describeApi(table, services, { locked: authToken !== null });
  const description = openApi(api);
  app.get(openApiRoute.path, (context) => context.json(description));
  app.get(docsRoute.path, ({ req }) => docsPage(api, services, originOf(req)));
  return app;
}

async function serve(route: Route, context: Context, services: Services): Promise<Response> {
  const given = await givenArguments(context, route);
  const { signal } = context.req.raw;
  let init: ResponseInit = {}; // without headers where there are none to add: those cost more than the rest of the answer
  const onExecution = (id: string) => {
    init = { headers: { 'X-Cay-Execution-Id': id } };
  };
  const { status, body } = await route.call(given, { services, session: null, signal, onProgress: null, onExecution });
  return Response.json(body, { ...init, status });
}

/** As the caller reached it; a proxy in front of the server says whether that was over TLS. */
function originOf(req: HonoRequest): string {
  const { host, origin } = new URL(req.url);
  return req.header('x-forwarded-proto') === 'https' ? `https://${host}` : origin;
}

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** What no route has answered: there is nothing there, or it takes other methods. */
export function notServed({ method, path }: HonoRequest, { routes }: Hono): Response {
  const there = routes.filter((route) => route.method !== 'ALL' && isAt(route.path, path));
  const methods = new Set(there.flatMap((route) => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method])));
  if (methods.size === 0)
    return errorResponse('not_found', `${method} ${path} is not served here; /docs shows the API`);
  const allow = [...methods].join(', ');
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow } });
  return errorResponse('method_not_allowed', `${method} ${path} is not served here, there is ${allow}`, { allow });
}

function isAt(pattern: string, path: string): boolean {
  const pieces = path.split('/');
  const expected = pattern.split('/');
  return (
    pieces.length === expected.length &&
    expected.every((piece, index) => (piece.startsWith(':') ? pieces[index] !== '' : piece === pieces[index]))
  );
}
