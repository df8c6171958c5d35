import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { hostOf } from '../../config/host-pattern.ts';
import { includes, isPublic, resolved } from './addresses.ts';
import { reasonOf, refusal } from './refusal.ts';
import { type FetchRule, isLoopbackName } from './rules.ts';

/** Asks for the addresses of a name. */
export type Resolver = (name: string) => Promise<readonly LookupAddress[]>;

export const systemResolver: Resolver = (name) => lookup(name, { all: true, order: 'verbatim' });

/**
 * The addresses that a request may connect to. It must connect to these and not ask again: the next answer for the same
 * name may be another one.
 */
export async function addressesFor(url: URL, rule: FetchRule, resolver: Resolver): Promise<readonly LookupAddress[]> {
  const host = hostOf(url);
  if (isIP(host) !== 0) return [resolved(host)]; // the rule has it literally
  if (isLoopbackName(host)) return [resolved('127.0.0.1'), resolved('::1')]; // the rule means this machine, by name
  let found: readonly LookupAddress[];
  try {
    found = await resolver(host);
  } catch (error) {
    throw refusal(reasonOf(error));
  }
  const allowed = found.filter(({ address }) => isPublic(address) || includes(rule.addresses, address));
  const [first] = found;
  if (allowed.length > 0) return allowed;
  if (!first) throw refusal(`host ${host} has no address`);
  throw refusal(
    `host ${host} is at ${first.address}, which is not a public address; the owner can list it under \`addresses\` of the host's rule`,
  );
}
