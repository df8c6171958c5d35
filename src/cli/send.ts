import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** One HTTP request. `fetch` gives up after five minutes without an answer, and a job may wait and run for longer. */
export function send(url: URL, { body = '', ...options }: Sent): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    request(url, options, resolve).on('error', reject).end(body);
  });
}
