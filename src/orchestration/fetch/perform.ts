import type { IncomingMessage } from 'node:http';
import { CayError } from '../../errors.ts';
import { readBody } from './body.ts';
import { exchange } from './exchange.ts';
import { reasonOf, refusal } from './refusal.ts';
import { checkUrl, type FetchRequest, type HeaderPairs } from './request.ts';
import { addressesFor, type Resolver } from './resolution.ts';
import { type FetchRule, type FetchRules, ruleFor } from './rules.ts';

export interface FetchAnswer {
  readonly url: string;
  readonly redirected: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly headers: HeaderPairs;
  readonly body: Buffer | null;
}

const mostRedirects = 5;

/** The whole of a fetch: every request on the way is checked like the first, and none leaves that is not allowed. */
export async function performFetch(
  request: FetchRequest,
  rules: FetchRules,
  { resolver, signal }: { resolver: Resolver; signal: AbortSignal },
): Promise<FetchAnswer> {
  const { timeoutMs } = ruleFor(rules, request.url, request.method);
  const timeout = AbortSignal.timeout(timeoutMs);
  const within = AbortSignal.any([signal, timeout]);
  try {
    return await follow(request, rules, resolver, within);
  } catch (error) {
    if (signal.aborted) throw new CayError('cancelled', 'The request was cancelled');
    if (timeout.aborted) throw refusal(`no complete answer from ${request.url.host} within ${timeoutMs} ms`);
    throw error instanceof TypeError && error.message.startsWith('fetch failed') ? error : refusal(reasonOf(error));
  }
}

async function follow(first: FetchRequest, rules: FetchRules, resolver: Resolver, signal: AbortSignal) {
  let request = first;
  for (let redirects = 0; ; redirects++) {
    const rule = ruleFor(rules, request.url, request.method);
    const response = await send(request, rule, resolver, signal);
    const target = request.redirect === 'manual' ? null : redirectTarget(response);
    if (target === null) return await answer(request, response, { rule, redirected: redirects > 0, signal });
    response.destroy();
    if (request.redirect === 'error') throw refusal(`${request.url.host} answered with a redirect`);
    if (redirects === mostRedirects) throw refusal(`more than ${mostRedirects} redirects`);
    request = redirected(request, checkUrl(target, request.url), response.statusCode ?? 0);
  }
}

async function send(request: FetchRequest, rule: FetchRule, resolver: Resolver, signal: AbortSignal) {
  const { url, method, body } = request;
  const addresses = await orAborted(addressesFor(url, rule, resolver), signal);
  const added = new Set(rule.headers.map(([name]) => name));
  const headers = [...request.headers.filter(([name]) => !added.has(name)), ...rule.headers];
  return exchange({ url, method, headers, body, addresses, signal });
}

/** A question for a name cannot be taken back, but nobody has to wait for its answer. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

const redirectStatuses = [301, 302, 303, 307, 308];

function redirectTarget({ statusCode = 0, headers }: IncomingMessage): string | null {
  return redirectStatuses.includes(statusCode) ? (headers.location ?? null) : null;
}

const ofTheBody = /^content-/;
const ofTheOrigin = /^(authorization|cookie)$/;

/** The request that a redirect asks for, as fetch makes it. */
function redirected(request: FetchRequest, url: URL, status: number): FetchRequest {
  const { method } = request;
  const turnsToGet = status === 303 ? method !== 'GET' && method !== 'HEAD' : status < 303 && method === 'POST';
  const headers = request.headers.filter(
    ([name]) => !(turnsToGet && ofTheBody.test(name)) && !(url.origin !== request.url.origin && ofTheOrigin.test(name)),
  );
  return { ...request, url, headers, ...(turnsToGet ? { method: 'GET', body: null } : {}) };
}

async function answer(
  { url, method }: FetchRequest,
  response: IncomingMessage,
  { rule, redirected, signal }: { rule: FetchRule; redirected: boolean; signal: AbortSignal },
): Promise<FetchAnswer> {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = response;
  const headers = rawHeaders.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1] ?? '']] : [],
  );
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 205 && status !== 304;
  if (!hasBody) response.destroy();
  const body = hasBody ? await readBody(response, rule.maxBytes, signal) : null;
  url.hash = '';
  return { url: url.href, redirected, status, statusText, headers, body };
}
