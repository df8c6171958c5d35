import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { parseArguments } from '../arguments.ts';
import type { Services } from '../services.ts';
import { notFound } from '../tool.ts';
import { executionView } from '../tools/views.ts';
import { givenArguments } from './given.ts';
import { eventsRoute } from './own-routes.ts';

const keepAliveMs = 15_000;

/**
 * Output and status as they come: `output` events, whose id is the offset to go on from, and `status` events; the
 * terminal one is the last. A browser that reconnects sends the id back.
 */
export async function streamEvents(context: Context, services: Services): Promise<Response> {
  const args = parseArguments(eventsRoute, await givenArguments(context, eventsRoute));
  if (!(await services.executions.get(args.execution_id))) throw notFound(`Execution '${args.execution_id}'`);
  const from = resumedFrom(context.req.header('last-event-id')) ?? args.byte_offset ?? 0;
  context.header('X-Accel-Buffering', 'no');
  // HEAD is answered by what answers GET, and nobody would read the stream.
  if (context.req.raw.method === 'HEAD') return context.body(null, 200, { 'Content-Type': eventsRoute.mediaType });
  return streamSSE(context, async (stream) => {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    const keepAlive = setInterval(() => stream.write(': keep-alive\n\n'), keepAliveMs);
    try {
      for await (const event of services.executions.follow(args.execution_id, from, gone.signal)) {
        if (event.kind === 'status') {
          await stream.writeSSE({ event: 'status', data: JSON.stringify(executionView(event.execution)) });
        } else {
          const data = { data: event.text, start_byte: event.startByte, end_byte: event.endByte };
          await stream.writeSSE({ event: 'output', id: String(event.endByte), data: JSON.stringify(data) });
        }
      }
    } catch (error) {
      if (!gone.signal.aborted) services.log.error({ err: error }, 'an event stream failed');
    } finally {
      clearInterval(keepAlive);
    }
  });
}

function resumedFrom(id: string | undefined): number | null {
  return id !== undefined && /^\d{1,15}$/.test(id) ? Number(id) : null;
}
