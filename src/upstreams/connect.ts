import { SSEClientTransport, type Transport } from '@modelcontextprotocol/client';
import { boundedFetch } from './bounded-fetch.ts';
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts';
import { mayBeSse, reasonOf, startFailure, wantsModern } from './failure.ts';
import { HttpTransport } from './http-transport.ts';
import { ProcessTransport } from './process-transport.ts';
import type { Target } from './settings.ts';
import type { UpstreamTransport } from './types.ts';

interface ConnectOptions extends Omit<ConnectionOptions, 'transport' | 'kind' | 'era' | 'endReason'> {
  readonly target: Target;
  readonly onStderr: (line: string) => void;
}

/** One way to reach a server. */
interface Way {
  readonly kind: UpstreamTransport;
  readonly era: 'legacy' | 'modern';
}

/**
 * Connects, and finds out how where the configuration does not say. The revisions of 2025 come first: every server but
 * those that know only later ones answers to them, while some end at a message that they do not know.
 * Throws an Error whose message says why in words; it may hold secrets still.
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { target } = options;
  const first: Way = { kind: target.kind === 'process' ? 'stdio' : (target.transport ?? 'http'), era: 'legacy' };
  try {
    return await open(first, options);
  } catch (error) {
    const second = otherWay(first, target, error);
    if (second === null || options.signal.aborted) throw new Error(whyNot(error, target), { cause: error });
    try {
      return await open(second, options);
    } catch (other) {
      const reasons = [whyNot(error, target), `and over ${wordsFor(second)}: ${whyNot(other, target)}`];
      throw new Error(reasons.join('; '), { cause: other });
    }
  }
}

async function open({ kind, era }: Way, options: ConnectOptions): Promise<Connection> {
  const transport = makeTransport(kind, options);
  const endReason = () => (transport instanceof ProcessTransport ? transport.endReason : null);
  try {
    return await openConnection({ ...options, transport, kind, era, endReason });
  } catch (error) {
    await transport.close().catch(() => {}); // it never was open
    const reason = endReason();
    throw reason === null ? error : new Error(reason, { cause: error });
  }
}

function makeTransport(kind: UpstreamTransport, { target, redaction, onStderr }: ConnectOptions): Transport {
  if (target.kind === 'process') return new ProcessTransport(target, { redaction, onStderr });
  const requestInit = { headers: { ...target.headers } };
  if (kind === 'sse') return new SSEClientTransport(target.url, { requestInit, fetch: boundedFetch });
  return new HttpTransport(target.url, { requestInit, fetch: boundedFetch });
}

function otherWay(tried: Way, target: Target, error: unknown): Way | null {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (wantsModern(error) || wantsModern(cause)) return { kind: tried.kind, era: 'modern' };
  const isOpen = target.kind === 'web' && target.transport === null;
  return isOpen && mayBeSse(error) ? { kind: 'sse', era: 'legacy' } : null;
}

function whyNot(error: unknown, target: Target): string {
  return target.kind === 'process' ? startFailure(error, target) : reasonOf(error);
}

function wordsFor({ kind, era }: Way): string {
  return era === 'modern' ? 'revision 2026-07-28' : kind.toUpperCase();
}
