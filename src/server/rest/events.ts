import { once } from 'node:events';
import { parseArguments } from '../arguments.ts';
import type { Services } from '../services.ts';
import { notFound } from '../tool.ts';
import { executionView } from '../tools/views.ts';
import type { Answer } from '../web/answer.ts';
import type { Exchange } from '../web/exchange.ts';
import { givenArguments } from './given.ts';
import { eventsRoute } from './own-routes.ts';

const keepAliveMs = 15_000;
const headers = { 'Content-Type': eventsRoute.mediaType, 'Cache-Control': 'no-cache', 'X-Accel-Buffering': 'no' };

/**
 * Output and status as they come: `output` events, whose id is the offset to go on from, and `status` events; the
 * terminal one is the last. A browser that reconnects sends the id back.
 */
export async function streamEvents(exchange: Exchange, services: Services): Promise<Answer | null> {
  const args = parseArguments(eventsRoute, await givenArguments(exchange, eventsRoute));
  if (!(await services.executions.get(args.execution_id))) throw notFound(`Execution '${args.execution_id}'`);
  const from = resumedFrom(exchange.header('last-event-id')) ?? args.byte_offset ?? 0;
  // HEAD is answered by what answers GET, and nobody would read the stream.
  if (exchange.method === 'HEAD') return { status: 200, headers };
  const { outgoing } = exchange;
  const gone = exchange.signal();
  exchange.answers(200);
  outgoing.writeHead(200, headers).flushHeaders();
  const keepAlive = setInterval(() => outgoing.write(': keep-alive\n\n'), keepAliveMs);
  try {
    for await (const event of services.executions.follow(args.execution_id, from, gone)) {
      const text =
        event.kind === 'status'
          ? eventText('status', executionView(event.execution))
          : eventText(
              'output',
              { data: event.text, start_byte: event.startByte, end_byte: event.endByte },
              event.endByte,
            );
      if (!outgoing.write(text)) await once(outgoing, 'drain', { signal: gone });
    }
  } catch (error) {
    if (!gone.aborted) services.log.error({ err: error }, 'an event stream failed');
  } finally {
    clearInterval(keepAlive);
    outgoing.end();
  }
  return null;
}

function eventText(name: string, data: unknown, id?: number): string {
  const lines = [`event: ${name}`, `data: ${JSON.stringify(data)}`, ...(id === undefined ? [] : [`id: ${id}`])];
  return `${lines.join('\n')}\n\n`;
}

function resumedFrom(id: string | null): number | null {
  return id !== null && /^\d{1,15}$/.test(id) ? Number(id) : null;
}
