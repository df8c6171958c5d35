import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, isIP } from 'node:net';
import { fetchSchema } from '../../src/config/fetch.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { type FetchOptions, fetchFunctions } from '../../src/orchestration/fetch/functions.ts';
import type { Resolver } from '../../src/orchestration/fetch/resolution.ts';
import { fetchRules } from '../../src/orchestration/fetch/rules.ts';
import { atEnd, type Cleanup } from '../cleanup.ts';
import { completed } from '../engine/steps.ts';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Web {
  readonly port: number;
  readonly origin: string;
  /** What was asked of it, oldest first. */
  readonly seen: Seen[];
  /** Resolves when so many connections have been closed by whoever opened them. */
  closed(count: number): Promise<void>;
}

interface WebOptions {
  readonly host?: string;
  readonly port?: number;
  readonly tls?: { readonly cert: string; readonly key: string | Buffer } | null;
}

export type Answer = (request: Seen, response: ServerResponse) => void;

/** A web server of the test's own, on loopback. Paths without an answer give back what was asked, as JSON. */
export async function startWeb(
  cleanup: Cleanup,
  answers: Readonly<Record<string, Answer>> = {},
  { host = '127.0.0.1', port: wanted = 0, tls = null }: WebOptions = {},
): Promise<Web> {
  const seen: Seen[] = [];
  let [gone, tell] = [0, () => {}];
  const listener: RequestListener = async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method = '', url = '', headers } = incoming;
    const request = { method, path: url, headers, body: Buffer.concat(chunks) };
    seen.push(request);
    const answer = answers[url.split('?')[0] ?? ''];
    if (answer) return answer(request, response);
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ method, path: url, headers, body: request.body.toString() }));
  };
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  server.on('connection', (socket) =>
    socket.once('close', () => {
      gone++;
      tell();
    }),
  );
  server.listen(wanted, host);
  await once(server, 'listening');
  atEnd(cleanup, () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const closed = (count: number) =>
    new Promise<void>((resolve) => {
      tell = () => gone >= count && resolve();
      tell();
    });
  return {
    port,
    origin: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    seen,
    closed,
  };
}

/** Runs code that may fetch what these settings allow, and gives its value. */
export function browser(engine: Engine, settings: unknown, environment: NodeJS.ProcessEnv = {}) {
  const rules = fetchRules(fetchSchema.parse(settings), environment);
  return async (source: string, options: FetchOptions = {}): Promise<unknown> => {
    const outcome = await engine.run({ source, functions: fetchFunctions(rules, options), keepHeap: false });
    const { value } = completed(outcome);
    if (value.kind !== 'json') throw new Error(`no JSON: ${value.text}`);
    return JSON.parse(value.text);
  };
}

/** A resolver that gives these addresses for every name, one set a question, the last one for ever; and what it was asked. */
export function resolverOf(...answers: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const resolver: Resolver = async (name) => {
    asked.push(name);
    const addresses = answers[Math.min(asked.length, answers.length) - 1] ?? [];
    return addresses.map((address) => ({ address, family: isIP(address) }));
  };
  return { resolver, asked };
}

/** Code whose value is how a fetch failed. */
export const failing = (...args: unknown[]) =>
  `try { const r = await fetch(${args.map((arg) => JSON.stringify(arg)).join(', ')}); 'answered ' + r.status + ' ' + await r.text() }
   catch (e) { e.name + ': ' + e.message }`;
