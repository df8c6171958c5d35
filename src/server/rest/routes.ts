import { type Context, Hono } from 'hono';
import { shown } from '../../config/mismatch.ts';
import { CayError } from '../../errors.ts';
import { fromQuery } from '../arguments.ts';
import type { Services } from '../services.ts';
import type { Route } from '../tool.ts';
import type { ToolTable } from '../tools.ts';
import { eventsRoute, streamEvents } from './events.ts';
import { openApi } from './openapi.ts';

/** `/api/*`: the routes of the table, the event stream, and their description. */
export function restApi(services: Services, table: ToolTable): Hono {
  const app = new Hono();
  for (const route of table.routes) {
    app.on(route.method, honoPath(route.path), (context) => serve(route, context, services));
  }
  if (!services.stateless) {
    app.get(honoPath(eventsRoute.path), (context) => streamEvents(context, services));
  }
  const description = openApi(table, services);
  app.get('/api/openapi.json', (context) => context.json(description));
  return app;
}

async function serve(route: Route, context: Context, services: Services): Promise<Response> {
  const inBody = route.method === 'POST' || route.method === 'PUT';
  const given = {
    ...fromQuery(route.input, context.req.queries()),
    ...(inBody ? await bodyOf(context) : {}),
    ...context.req.param(),
  };
  const { signal } = context.req.raw;
  const { status, body } = await route.call(given, { services, session: null, signal, onProgress: null });
  return Response.json(body, { status });
}

/** A body may be left out where nothing in it is needed. */
async function bodyOf(context: Context): Promise<object> {
  const text = await context.req.text();
  if (text.trim() === '') return {};
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CayError('invalid_argument', `The body is not JSON: ${reason}`, { cause: error });
  }
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw new CayError('invalid_argument', `The body: expected an object, got ${shown(body)}`);
}

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}
