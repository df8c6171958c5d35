import { z } from 'zod';
import { fetchMethods, isHeaderName, isHeaderValue } from '../../config/fetch.ts';
import { refusal } from './refusal.ts';

export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** What code asks for, checked; nothing of it is looked at twice. */
export interface FetchRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: HeaderPairs;
  readonly body: Buffer | null;
  readonly redirect: 'follow' | 'error' | 'manual';
}

/** As the prelude sends it, with a number by which it can be cancelled. */
export const requestSchema = z.object({
  id: z.int(),
  url: z.string(),
  method: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.union([z.object({ text: z.string() }), z.object({ base64: z.string() }), z.null()]),
  redirect: z.enum(['follow', 'error', 'manual']),
});

const mostHeaderBytes = 16 * 1024;

export function checkRequest(given: z.output<typeof requestSchema>, maxBytes: number): FetchRequest {
  const method = given.method.toUpperCase();
  if (!fetchMethods.some((known) => known === method)) throw refusal(`${shown(given.method)} is not a method of fetch`);
  const body = bytesOf(given.body);
  if (body && (method === 'GET' || method === 'HEAD')) throw refusal(`a ${method} request cannot have a body`);
  if (body && body.length > maxBytes) {
    throw refusal(`the body has ${body.length} bytes, more than the ${maxBytes} of fetch.max_request_bytes`);
  }
  return { url: checkUrl(given.url), method, headers: checkHeaders(given.headers), body, redirect: given.redirect };
}

/** Parsed once, by the rules of the web: what is checked is what is used. */
export function checkUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (!url) throw refusal(`${shown(text)} is not a URL`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refusal(`${shown(url.protocol)} is not http or https`);
  if (url.username !== '' || url.password !== '') throw refusal('a URL with a user name or a password is not taken');
  return url;
}

function checkHeaders(headers: HeaderPairs): HeaderPairs {
  let bytes = 0;
  return headers.map(([given, value]) => {
    const name = given.toLowerCase();
    if (!isHeaderName(name)) throw refusal(`the header ${shown(given)} cannot be set`);
    if (!isHeaderValue(value)) throw refusal(`the header ${shown(given)} has a value that cannot be sent`);
    bytes += name.length + value.length;
    if (bytes > mostHeaderBytes) throw refusal(`the headers have more than ${mostHeaderBytes} bytes`);
    return [name, value];
  });
}

function bytesOf(body: z.output<typeof requestSchema>['body']): Buffer | null {
  if (body === null) return null;
  return 'text' in body ? Buffer.from(body.text) : Buffer.from(body.base64, 'base64');
}

function shown(text: string): string {
  return JSON.stringify(text.length <= 100 ? text : `${text.slice(0, 100)}…`);
}
