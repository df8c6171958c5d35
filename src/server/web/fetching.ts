import { getRequestListener } from '@hono/node-server';
import type { Services } from '../services.ts';
import { failureAnswer, toResponse } from './answer.ts';
import { bounded, unlessCutOff } from './body.ts';
import type { Exchange, Handler } from './exchange.ts';

/** For what is written against web standards, as the MCP library is: Request in, Response out. */
export function fetching(fetch: (request: Request) => Promise<Response> | Response, services: Services): Handler {
  const exchanges = new WeakMap<object, Exchange>();
  const listener = getRequestListener(async (request, { incoming }) => {
    const response = await answered(request);
    exchanges.get(incoming)?.answers(response.status);
    return response;
  });
  const answered = async (request: Request) => {
    try {
      return await fetch(await bounded(request));
    } catch (error) {
      return toResponse(failureAnswer(unlessCutOff(request, error), services));
    }
  };
  return (exchange) => {
    exchanges.set(exchange.incoming, exchange);
    void listener(exchange.incoming, exchange.outgoing);
    return null;
  };
}
