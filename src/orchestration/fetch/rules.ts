import { type BlockList, isIP } from 'node:net';
import { type FetchSettings, isHeaderValue } from '../../config/fetch.ts';
import { type HostPattern, hostOf, hostPattern } from '../../config/host-pattern.ts';
import { CayError } from '../../errors.ts';
import { type Redaction, redactionOf } from '../../upstreams/redaction.ts';
import { type Secret, secretOf, secretsOfHeader } from '../../upstreams/secrets.ts';
import { expand } from '../../upstreams/variables.ts';
import { addressList } from './addresses.ts';
import { refusal } from './refusal.ts';

/** A rule of `fetch.allow`, made ready. */
export interface FetchRule {
  readonly pattern: HostPattern;
  readonly methods: ReadonlySet<string>;
  /** Secrets: they go into a request's head and nowhere else. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Why it cannot be used. */
  readonly problem: string | null;
  readonly addresses: BlockList;
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

export interface FetchRules {
  readonly rules: readonly FetchRule[];
  readonly maxRequestBytes: number;
  /** Takes the added headers out of an answer, should a host send them back. */
  readonly redaction: Redaction;
}

/** The rules as the owner wrote them. A header whose `${NAME}` is not set stops its own rule alone. */
export function fetchRules(settings: FetchSettings, environment: NodeJS.ProcessEnv): FetchRules {
  const secrets: Secret[] = [];
  const rules = settings.allow.map((rule): FetchRule => {
    const pattern = hostPattern(rule.host);
    if (!pattern) throw new CayError('invalid_config', `fetch.allow: "${rule.host}" is no host`);
    const { values, problem, secrets: its } = filled(rule.headers, environment);
    secrets.push(...its);
    return {
      pattern,
      methods: new Set(rule.methods),
      headers: values,
      problem,
      addresses: addressList(rule.addresses),
      maxBytes: rule.max_bytes ?? settings.max_bytes,
      timeoutMs: rule.timeout_ms ?? settings.timeout_ms,
    };
  });
  return { rules, maxRequestBytes: settings.max_request_bytes, redaction: redactionOf(secrets) };
}

/** The rule for a request, or why there is none. Nothing has left the server yet, not even a question for the name. */
export function ruleFor({ rules }: FetchRules, url: URL, method: string): FetchRule {
  const fitting = rules.filter(({ pattern }) => fits(pattern, url));
  if (fitting.length === 0) throw refusal(`host ${shownHost(url)} is not in fetch.allow`);
  const rule = fitting.find(({ methods }) => methods.has(method));
  if (!rule) {
    const allowed = [...new Set(fitting.flatMap(({ methods }) => [...methods]))].join(', ');
    throw refusal(`${method} is not allowed for host ${shownHost(url)} in fetch.allow (allowed: ${allowed})`);
  }
  if (rule.problem !== null) throw refusal(`the rule for host ${shownHost(url)} in fetch.allow ${rule.problem}`);
  const mayBePlain = rule.headers.length === 0 || rule.pattern.scheme === 'http' || isLoopback(rule.pattern.host);
  if (url.protocol === 'http:' && !mayBePlain) {
    throw refusal(`host ${shownHost(url)} has headers in fetch.allow that are sent over https only: use https://`);
  }
  return rule;
}

export function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

function isLoopback(host: string): boolean {
  return isLoopbackName(host) || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function fits(pattern: HostPattern, url: URL): boolean {
  const scheme = url.protocol.slice(0, -1);
  if (pattern.scheme !== null && pattern.scheme !== scheme) return false;
  if (pattern.port === null ? url.port !== '' : portOf(url) !== pattern.port) return false;
  const host = hostOf(url);
  return pattern.isWildcard ? host.endsWith(`.${pattern.host}`) && name.test(host) : host === pattern.host;
}

/** URLs allow more in a host than any name has. */
const name = /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/;

export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

function shownHost(url: URL): string {
  return url.port === '' ? hostOf(url) : `${hostOf(url)}:${url.port}`;
}

function filled(headers: Readonly<Record<string, string>>, environment: NodeJS.ProcessEnv) {
  let problem: string | null = null;
  const values: [string, string][] = [];
  const secrets: Secret[] = [];
  for (const [given, text] of Object.entries(headers)) {
    const name = given.toLowerCase();
    const expansion = expand(text, environment);
    if (expansion.kind === 'missing') {
      problem ??= `needs ${expansion.name}, which is not set in the environment`;
      continue;
    }
    const value = expansion.text.trim();
    if (!isHeaderValue(value)) problem ??= `has a header ${name} with a character that cannot be sent`;
    values.push([name, value]);
    secrets.push(...secretsIn(name, value));
    secrets.push(...expansion.used.flatMap((used) => secretOf(used.name, used.value.trim())));
  }
  return { values, problem, secrets };
}

/** `X-Api-Version: 2022-11-28` is none: it would take dates out of every answer. */
function secretsIn(name: string, value: string): Secret[] {
  return name === 'authorization' ? secretsOfHeader(name, value) : secretOf(name, value);
}
