import type { LookupAddress } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import { unmapped } from '../../config/host-pattern.ts';

/**
 * Ranges of IPv4 that are not of the public Internet: IANA's list of special addresses, multicast, and the address at
 * which one cloud keeps its metadata among public ones (the others' are link-local).
 */
const special = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '168.63.129.16/32',
];

/** Of IPv6 only this is public, less the parts that tunnel to other addresses or stand in examples. */
const public6 = addressList(['2000::/3']);
const special6 = addressList(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);
const special4 = addressList(special);

/** Whether an address can be that of anyone on the Internet: not private, loopback, link-local, shared or multicast. */
export function isPublic(given: string): boolean {
  const address = unmapped(given);
  if (isIP(address) === 4) return !includes(special4, address);
  return includes(public6, address) && !includes(special6, address);
}

/** Addresses and ranges, as the configuration writes them. */
export function addressList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [base = '', bits] = entry.split('/');
    const family = isIP(base) === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(base, family);
    else list.addSubnet(base, Number(bits), family);
  }
  return list;
}

export function includes(list: BlockList, given: string): boolean {
  const address = unmapped(given);
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/** An address in the form in which a resolver gives it. */
export function resolved(address: string): LookupAddress {
  return { address, family: isIP(address) };
}
