import { isIP, isIPv6 } from 'node:net';

/** A host of `fetch.allow`: `api.example.com`, `*.example.com`, `https://example.com:8443`, `10.0.0.5`, `[::1]:8080`. */
export interface HostPattern {
  readonly scheme: 'http' | 'https' | null;
  /** In the one spelling that `hostOf` gives. */
  readonly host: string;
  /** `*.`: every name below it, and not itself. */
  readonly isWildcard: boolean;
  /** Null: the usual port of the scheme. */
  readonly port: number | null;
}

/** Null for text that is no pattern. */
export function hostPattern(text: string): HostPattern | null {
  const [, scheme, star, rest = ''] = /^(?:(https?):\/\/)?(\*\.)?(.+)$/i.exec(text) ?? [];
  const authority = isIPv6(rest) ? `[${rest}]` : rest;
  const url = URL.parse(`http://${authority}/`);
  if (!url || /[\s/?#@\\]/.test(authority)) return null;
  const port = /:(\d+)$/.exec(isIPv6(rest) ? '' : authority)?.[1];
  const host = hostOf(url);
  if (host === '' || host.includes('*') || (star !== undefined && isIP(host) !== 0)) return null;
  return {
    scheme: scheme === undefined ? null : scheme.toLowerCase() === 'https' ? 'https' : 'http',
    host,
    isWildcard: star !== undefined,
    port: port === undefined ? null : Number(port),
  };
}

/**
 * A URL's host in one spelling. The parser has seen to case, IDN and the many ways to write an IPv4 address; left are
 * the brackets, the dot at the end, and IPv4 inside IPv6.
 */
export function hostOf({ hostname }: URL): string {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '');
  return isIPv6(bare) ? unmapped(bare) : bare;
}

/** `::ffff:7f00:1` and `::ffff:127.0.0.1` reach the same machine as `127.0.0.1`. */
export function unmapped(address: string): string {
  const dotted = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (dotted !== undefined) return dotted;
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  const bits = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return bits.flatMap((part) => [part >> 8, part & 255]).join('.');
}
