import type { LookupAddress } from 'node:dns';
import { type IncomingMessage, type RequestOptions, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { LookupFunction } from 'node:net';
import { hostOf } from '../../config/host-pattern.ts';
import type { HeaderPairs } from './request.ts';
import { portOf } from './rules.ts';

export interface Exchange {
  readonly url: URL;
  readonly method: string;
  readonly headers: HeaderPairs;
  readonly body: Buffer | null;
  /** The only ones that it connects to. */
  readonly addresses: readonly LookupAddress[];
  readonly signal: AbortSignal;
}

/** One request over a connection of its own, and the answer as far as its head. Ended by the signal at any time. */
export function exchange({ url, method, headers, body, addresses, signal }: Exchange): Promise<IncomingMessage> {
  const options: RequestOptions = {
    host: hostOf(url),
    port: portOf(url),
    path: url.pathname + url.search,
    method,
    headers: headOf(url, method, headers, body),
    setHost: false,
    agent: false,
    lookup: pinned(addresses),
    signal,
  };
  const request = url.protocol === 'https:' ? requestSecure(options) : requestPlain(options);
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.on('error', reject); // once there is an answer, an error comes with its body too
    request.once('upgrade', (_, socket) => {
      socket.destroy();
      reject(new Error('the server wants to speak another protocol'));
    });
    request.once('close', () => reject(new Error('the connection was closed without an answer')));
    request.end(body ?? undefined);
  });
}

/** Later pairs of the same name are added to the first; `Cookie` has its own separator. */
function headOf(url: URL, method: string, pairs: HeaderPairs, body: Buffer | null): Record<string, string> {
  const name = hostOf(url);
  const host = name.includes(':') ? `[${name}]` : name;
  const headers: Record<string, string> = {
    host: url.port === '' ? host : `${host}:${url.port}`,
    accept: '*/*',
    'accept-encoding': 'gzip, deflate, br',
    'user-agent': 'cay',
  };
  if (body || method === 'POST' || method === 'PUT' || method === 'PATCH') {
    headers['content-length'] = String(body?.length ?? 0);
  }
  const own = new Map<string, string>();
  for (const [key, value] of pairs) {
    const before = own.get(key);
    own.set(key, before === undefined ? value : `${before}${key === 'cookie' ? '; ' : ', '}${value}`);
  }
  return { ...headers, ...Object.fromEntries(own) };
}

/** A lookup that knows the answer. An address as host is connected to without it. */
function pinned(addresses: readonly LookupAddress[]): LookupFunction {
  return (_, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family ?? 0);
  };
}
