import { createHash, timingSafeEqual } from 'node:crypto';
import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import { CayError } from '../errors.ts';
import { type Answer, errorAnswer } from './web/answer.ts';
import type { Exchange } from './web/exchange.ts';

export interface GuardOptions {
  readonly bindHost: string;
  readonly allowedHosts: readonly string[];
  readonly authToken: string | null;
}

/** Looks at a request before anything else does; an answer refuses it. */
export type Guard = (exchange: Pick<Exchange, 'header'>) => Answer | null;

/**
 * Host and Origin are checked against web pages that reach for a local server (DNS rebinding), the token against
 * everyone else. Refuses to be made for an address that others can reach when there is no token.
 */
export function createGuard({ bindHost, allowedHosts, authToken }: GuardOptions): Guard {
  const local = isLoopback(bindHost);
  if (!local && authToken === null) {
    const message = `bind_host: ${bindHost} can be reached by others; set an auth token (--auth-token, CAY_AUTH_TOKEN)`;
    throw new CayError('invalid_config', message);
  }
  const names = [...localhostAllowedHostnames(), ...allowedHosts];
  const token = authToken === null ? null : digest(authToken);
  const checkNames = (host: string | null, origin: string | null): Answer | null => {
    const checked = validateHostHeader(host, names);
    // Whoever listens on the network by intention is reached under names that we cannot know: the token is the check.
    if (!checked.ok && local) return notAmongNames(checked.message);
    const own = hostname(host);
    const checkedOrigin = validateOriginHeader(origin, own !== null && !local ? [...names, own] : names);
    return checkedOrigin.ok ? null : notAmongNames(checkedOrigin.message);
  };
  // Nearly all requests come under one name: it is parsed once.
  let passed: { readonly host: string | null; readonly origin: string | null } | null = null;
  return (exchange) => {
    const [host, origin] = [exchange.header('host'), exchange.header('origin')];
    if (passed?.host !== host || passed.origin !== origin) {
      const refusal = checkNames(host, origin);
      if (refusal) return refusal;
      passed = { host, origin };
    }
    if (token === null || timingSafeEqual(token, digest(bearer(exchange.header('authorization'))))) return null;
    return errorAnswer('unauthorized', 'A bearer token is needed', { 'WWW-Authenticate': 'Bearer' });
  };
}

function notAmongNames(message: string): Answer {
  return errorAnswer('forbidden', `${message}: this server is not known by that name, see --allowed-hosts`);
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Equal lengths for the comparison, whatever came. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function bearer(header: string | null): string {
  return /^bearer +(.+)$/i.exec(header ?? '')?.[1]?.trim() ?? '';
}

function hostname(host: string | null): string | null {
  return host === null || !URL.canParse(`http://${host}`) ? null : new URL(`http://${host}`).hostname;
}
