import { enumerable, expose, named, tagged } from './expose.ts';
import { headerName, headerValue } from './header-text.ts';
import { exposeInspect } from './inspect-method.ts';
import { apply, getProperty, isArray, iteratorSymbol, list, objectKeys, TypeErrorClass } from './primordials.ts';

interface Pair {
  readonly name: string;
  readonly value: string;
}

let pairsOf: (headers: Headers) => Pair[];
let give: (headers: Headers, pairs: Pair[]) => void;

/** Names are kept in lower case; the same name may be there more than once. */
export class Headers {
  #pairs = list<Pair>();

  constructor(init?: unknown) {
    if (init === undefined || init === null) return;
    if (typeof init !== 'object') throw new TypeErrorClass('Expected the headers to be an object or a list of pairs');
    if (#pairs in init) {
      const pairs = init.#pairs;
      for (let i = 0; i < pairs.length; i++) this.#pairs[i] = pairs[i] ?? { name: '', value: '' };
    } else if (isArray(init)) {
      for (let i = 0; i < init.length; i++) appendPair(this, init[i]);
    } else if (isIterable(init)) {
      for (const pair of init) appendPair(this, pair);
    } else {
      const keys = objectKeys(init);
      for (let i = 0; i < keys.length; i++) this.append(keys[i], getProperty(init, keys[i] ?? ''));
    }
  }
  static {
    pairsOf = (headers) => headers.#pairs;
    give = (headers, pairs) => {
      headers.#pairs = pairs;
    };
  }
  append(name: unknown, value: unknown): void {
    this.#pairs[this.#pairs.length] = { name: headerName(name), value: headerValue(value) };
  }
  set(name: unknown, value: unknown): void {
    const pair: Pair = { name: headerName(name), value: headerValue(value) };
    this.#pairs = without(this.#pairs, pair.name);
    this.#pairs[this.#pairs.length] = pair;
  }
  delete(name: unknown): void {
    this.#pairs = without(this.#pairs, headerName(name));
  }
  get(name: unknown): string | null {
    return joined(this.#pairs, headerName(name));
  }
  has(name: unknown): boolean {
    return joined(this.#pairs, headerName(name)) !== null;
  }
  getSetCookie(): string[] {
    const cookies: string[] = [];
    for (let i = 0; i < this.#pairs.length; i++) {
      const pair = this.#pairs[i];
      if (pair?.name === 'set-cookie') expose(cookies, `${cookies.length}`, pair.value, true);
    }
    return cookies;
  }
  forEach(callback: unknown, receiver?: unknown): void {
    if (typeof callback !== 'function') throw new TypeErrorClass('Expected the callback to be a function');
    const all = sorted(this.#pairs);
    for (let i = 0; i < all.length; i++) apply(callback, receiver, [all[i]?.value, all[i]?.name, this]);
  }
  *keys(): Generator<string> {
    const all = sorted(this.#pairs);
    for (let i = 0; i < all.length; i++) yield all[i]?.name ?? '';
  }
  *values(): Generator<string> {
    const all = sorted(this.#pairs);
    for (let i = 0; i < all.length; i++) yield all[i]?.value ?? '';
  }
  *entries(): Generator<[string, string]> {
    const all = sorted(this.#pairs);
    for (let i = 0; i < all.length; i++) yield [all[i]?.name ?? '', all[i]?.value ?? ''];
  }
}

/** What was received: names in lower case, and nothing to be checked. */
export function headersFrom(pairs: readonly (readonly [name: string, value: string])[]): Headers {
  const headers = new Headers();
  const all = list<Pair>();
  for (let i = 0; i < pairs.length; i++) all[i] = { name: pairs[i]?.[0] ?? '', value: pairs[i]?.[1] ?? '' };
  give(headers, all);
  return headers;
}

/** What is to be sent, as JSON takes it. */
export function headerPairs(headers: Headers): [name: string, value: string][] {
  const from = pairsOf(headers);
  const pairs = list<[string, string]>();
  for (let i = 0; i < from.length; i++) pairs[i] = [from[i]?.name ?? '', from[i]?.value ?? ''];
  return pairs;
}

function appendPair(headers: Headers, pair: unknown): void {
  if (typeof pair !== 'object' || pair === null || getProperty(pair, 'length') !== 2) {
    throw new TypeErrorClass('Expected each header to be a pair of a name and a value');
  }
  headers.append(getProperty(pair, 0), getProperty(pair, 1));
}

function isIterable(value: object): value is Iterable<unknown> {
  return typeof getProperty(value, iteratorSymbol) === 'function';
}

function without(pairs: readonly Pair[], name: string): Pair[] {
  const left = list<Pair>();
  for (let i = 0; i < pairs.length; i++) {
    const pair = pairs[i];
    if (pair !== undefined && pair.name !== name) left[left.length] = pair;
  }
  return left;
}

function joined(pairs: readonly Pair[], name: string): string | null {
  let text: string | null = null;
  for (let i = 0; i < pairs.length; i++) {
    const pair = pairs[i];
    if (pair?.name === name) text = text === null ? pair.value : `${text}, ${pair.value}`;
  }
  return text;
}

/** In the order of names, those of one name as one; only cookies stay apart, for their values have commas. */
function sorted(pairs: readonly Pair[]): Pair[] {
  const result = list<Pair>();
  for (let i = 0; i < pairs.length; i++) {
    const pair = pairs[i];
    if (pair === undefined) continue;
    let at = result.length;
    while (at > 0 && (result[at - 1]?.name ?? '') > pair.name) at--;
    const before = result[at - 1];
    if (before?.name === pair.name && pair.name !== 'set-cookie') {
      result[at - 1] = { name: pair.name, value: `${before.value}, ${pair.value}` };
      continue;
    }
    for (let k = result.length; k > at; k--) result[k] = result[k - 1] ?? pair;
    result[at] = pair;
  }
  return result;
}

const members = ['append', 'set', 'delete', 'get', 'has', 'getSetCookie', 'forEach', 'keys', 'values', 'entries'];
enumerable(Headers.prototype, members);
expose(Headers.prototype, iteratorSymbol, Headers.prototype.entries);
tagged(Headers.prototype, 'Headers');
exposeInspect(Headers.prototype, (headers) => {
  const shown = {};
  const all = sorted(pairsOf(headers));
  for (let i = 0; i < all.length; i++) expose(shown, all[i]?.name ?? '', all[i]?.value ?? '', true);
  return shown;
});
named(Headers, 'Headers');
