import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';

interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** One HTTP request. `fetch` gives up after five minutes without an answer, and a job may wait and run for longer. */
export function send(url: URL, { body = '', ...options }: Sent): Promise<{ status: number; text: string }> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      text(response).then((all) => resolve({ status: response.statusCode ?? 0, text: all }), reject);
    });
    sent.on('error', reject).end(body);
  });
}
