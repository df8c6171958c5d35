import { validateHeaderName, validateHeaderValue } from 'node:http';
import { isIP } from 'node:net';
import { z } from 'zod';
import { hostPattern } from './host-pattern.ts';

export const fetchMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

const maxBytes = z
  .int()
  .min(1)
  .max(64 * 2 ** 20);
const timeoutMs = z.int().min(1).max(300_000);

const host = z
  .string()
  .refine((text) => hostPattern(text) !== null, 'expected a host such as "api.example.com" or "*.example.com:8443"');

const address = z.string().refine(isAddressOrRange, 'expected an IP address or a range such as "10.0.0.0/8"');

const headers = z.record(z.string().refine(isHeaderName, 'not a header that can be added'), z.string());

/** One entry of `fetch.allow`. The first that fits host, port and method counts. */
const rule = z
  .strictObject({
    host,
    methods: z.array(z.enum(fetchMethods)).min(1).default(['GET', 'HEAD']),
    /** Added on the way out, and never seen by code; `${NAME}` is taken from the environment. Over https, or where `host` says http://. */
    headers: headers.default({}),
    /** Addresses that are not public, which the host's name may lead to all the same. */
    addresses: z.array(address).default([]),
    max_bytes: maxBytes.optional(),
    timeout_ms: timeoutMs.optional(),
  })
  .meta({ expected: 'a rule such as {"host": "api.example.com", "methods": ["GET"]}' });

/** Keys under `fetch`. An unknown one stops the start: a mistyped rule must not be a looser one. */
export const fetchSchema = z.strictObject({
  allow: z.array(rule).default([]),
  max_bytes: maxBytes.default(8 * 2 ** 20),
  max_request_bytes: maxBytes.default(2 ** 20),
  timeout_ms: timeoutMs.default(30_000),
});

export type FetchSettings = z.output<typeof fetchSchema>;

/** What the connection needs, and what would make another request of one that was checked. */
const reserved =
  /^(host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|content-length|accept-encoding|proxy-.*|x-http-method|x-http-method-override|x-method-override)$/i;

/** Whether a request may have a header of this name. */
export function isHeaderName(name: string): boolean {
  return !reserved.test(name) && passes(() => validateHeaderName(name));
}

export function isHeaderValue(value: string): boolean {
  return passes(() => validateHeaderValue('x', value));
}

function isAddressOrRange(text: string): boolean {
  const [, base = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(base);
  return family !== 0 && (bits === undefined || Number(bits) <= (family === 4 ? 32 : 128));
}

function passes(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
