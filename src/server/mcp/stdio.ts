import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Services } from '../services.ts';
import { AnsweringTransport } from './answering-transport.ts';
import type { McpServerFactory } from './server.ts';

/** A message may hold 16 MiB of code, escaped. */
const maxMessageBytes = 64 * 2 ** 20;

export interface StdioDoor {
  /** Resolves when the client has closed its end and everything it asked has been answered. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Speaks MCP on two streams, for every revision; all executions belong to `session`. */
export function openStdio(
  makeServer: McpServerFactory,
  { log }: Services,
  { session, input, output }: { session: string | null; input: Readable; output: Writable },
): StdioDoor {
  const transport = new AnsweringTransport(
    input,
    (stream) => new StdioServerTransport(stream, output, { maxBufferSize: maxMessageBytes }),
  );
  const handle = serveStdio(() => makeServer(session), {
    transport,
    onerror: (error) => log.debug({ err: error }, 'MCP'),
  });
  return { closed: transport.closed, close: () => handle.close() };
}
