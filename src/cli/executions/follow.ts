import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { CayError } from '../../errors.ts';
import type { RemoteFlags } from '../remote.ts';
import { expected, remoteStream, urlOf } from '../remote-call.ts';
import { serverEvents } from './events.ts';
import { type Execution, executionSchema } from './execution.ts';

const outputSchema = z.object({ data: z.string(), start_byte: z.number(), end_byte: z.number() });
export type OutputPiece = z.output<typeof outputSchema>;

export interface Watcher {
  onOutput(piece: OutputPiece): void;
  /** For each status that is not the last. */
  onStatus?(execution: Execution): void;
}

export interface Following {
  readonly server: RemoteFlags;
  readonly id: string;
  readonly signal: AbortSignal;
  /** How long a server may be away, for a restart, before it counts as gone; 30 s. */
  readonly patienceMs?: number;
}

const againMs = 300;

/**
 * Reads the output of an execution as it comes, and returns the execution when it has ended. When the connection breaks
 * it goes on where it was.
 */
export async function follow(following: Following, watcher: Watcher): Promise<Execution> {
  const { signal, patienceMs = 30_000 } = following;
  const place: Place = { offset: 0, reached: false };
  let lostAt = Number.POSITIVE_INFINITY;
  for (;;) {
    try {
      const ended = await watch(following, watcher, place);
      if (ended) return ended;
      lostAt = performance.now();
    } catch (error) {
      if (signal.aborted || !place.reached || !isAway(error)) throw error;
      lostAt = Math.min(lostAt, performance.now());
    }
    if (performance.now() - lostAt > patienceMs) throw lost(following);
    await sleep(againMs, undefined, { signal });
  }
}

/** What has been read, and whether the server has ever answered. */
interface Place {
  offset: number;
  reached: boolean;
}

/** Until the execution has ended; null when the connection did before it. */
async function watch({ server, id, signal }: Following, watcher: Watcher, place: Place): Promise<Execution | null> {
  const given = { execution_id: id, byte_offset: place.offset };
  const path = '/api/executions/{execution_id}/events';
  const stream = await remoteStream(server, { method: 'GET', path, given, signal });
  place.reached = true;
  try {
    for await (const { event, data } of serverEvents(stream)) {
      if (event === 'status') {
        const execution = expected(executionSchema, JSON.parse(data));
        if (execution.status !== 'running') return execution;
        watcher.onStatus?.(execution);
      } else if (event === 'output') {
        const piece = expected(outputSchema, JSON.parse(data));
        watcher.onOutput(piece);
        place.offset = piece.end_byte;
      }
    }
  } catch (error) {
    if (error instanceof CayError || signal.aborted) throw error;
  } finally {
    stream.destroy();
  }
  return null;
}

function isAway(error: unknown): boolean {
  return error instanceof CayError && (error.code === 'cannot_connect' || error.code === 'closing');
}

function lost({ server, id }: Following): CayError {
  const message = `The server at ${urlOf(server)} has gone away. When it is back: cay output -f ${id}`;
  return new CayError('cannot_connect', message);
}
