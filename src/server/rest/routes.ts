import { docsPage } from '../docs/page.ts';
import type { GuardOptions } from '../guard.ts';
import type { Services } from '../services.ts';
import type { Route } from '../tool.ts';
import type { ToolTable } from '../tools.ts';
import { type Answer, errorAnswer, jsonAnswer } from '../web/answer.ts';
import type { Exchange } from '../web/exchange.ts';
import type { Router } from '../web/router.ts';
import { streamEvents } from './events.ts';
import { givenArguments } from './given.ts';
import { openApi } from './openapi.ts';
import { describeApi } from './operations.ts';
import { docsRoute, eventsRoute, openApiRoute } from './own-routes.ts';

/** `/api/*`: the routes of the table, the event stream, and their description, for programs and for people. */
export function serveRest(
  router: Router,
  services: Services,
  table: ToolTable,
  { authToken }: Pick<GuardOptions, 'authToken'>,
): void {
  for (const route of table.routes) {
    router.add(route.method, route.path, (exchange) => serve(route, exchange, services));
  }
  if (!services.stateless) router.add('GET', eventsRoute.path, (exchange) => streamEvents(exchange, services));
  const api = describeApi(table, services, { locked: authToken !== null });
  const description = jsonAnswer(openApi(api));
  router.add('GET', openApiRoute.path, () => description);
  router.add('GET', docsRoute.path, (exchange) => docsPage(api, services, originOf(exchange)));
}

async function serve(route: Route, exchange: Exchange, services: Services): Promise<Answer> {
  const given = await givenArguments(exchange, route);
  let headers: Answer['headers'];
  const onExecution = (id: string) => {
    headers = { 'X-Cay-Execution-Id': id };
  };
  const context = { services, session: null, signal: exchange.signal(), onProgress: null, onExecution };
  const { status, body } = await route.call(given, context);
  return jsonAnswer(body, status, headers);
}

/** As the caller reached it; a proxy in front of the server says whether that was over TLS. */
function originOf(exchange: Exchange): string {
  const scheme = exchange.header('x-forwarded-proto') === 'https' ? 'https' : 'http';
  return `${scheme}://${exchange.header('host') ?? 'localhost'}`;
}

/** What no route has answered: there is nothing there, or it takes other methods. */
export function notServed({ method, path }: Exchange, router: Router): Answer {
  const methods = router.methodsAt(path);
  if (methods.length === 0)
    return errorAnswer('not_found', `${method} ${path} is not served here; /docs shows the API`);
  const allow = methods.join(', ');
  if (method === 'OPTIONS') return { status: 204, headers: { Allow: allow } };
  return errorAnswer('method_not_allowed', `${method} ${path} is not served here, there is ${allow}`, { Allow: allow });
}
