import { native } from './native.ts';
import { assign, charCodeAt, create, sliceText, stringifyJson, typedArrayTag } from './primordials.ts';

const MAX_KEY = 80;

const HINTS: Record<string, string> = assign(create(null), {
  Date: 'a Date: return .toISOString()',
  RegExp: 'a RegExp: return .source',
  Map: 'a Map: return Object.fromEntries(map) or [...map]',
  Set: 'a Set: return [...set]',
  WeakMap: 'a WeakMap: return what is in it by other means',
  WeakSet: 'a WeakSet: return what is in it by other means',
  WeakRef: 'a WeakRef: return .deref()',
  Promise: 'a Promise: await it first',
  Error: 'an Error: return .message or String(error)',
  ArrayBuffer: 'an ArrayBuffer: return [...new Uint8Array(buffer)]',
  DataView: 'a DataView: return [...new Uint8Array(view.buffer)]',
  Generator: 'a generator: return [...generator]',
  MapIterator: 'an iterator: return [...iterator]',
  SetIterator: 'an iterator: return [...iterator]',
  Number: 'a Number object: return Number(value)',
  String: 'a String object: return String(value)',
  Boolean: 'a Boolean object: return .valueOf()',
  Symbol: 'a Symbol object: return .description',
  BigInt: 'a BigInt object: return String(value)',
});

/** What a value is that JSON cannot hold, and what to return in its place. */
export function hintFor(value: unknown): string {
  switch (typeof value) {
    case 'function':
      return 'is a function: return its result';
    case 'symbol':
      return 'is a symbol: return .description';
    case 'bigint':
      return 'is a BigInt: return String(value)';
    case 'number':
      return `is ${value}: return null or a text`;
    default:
      return `is ${HINTS[native.kindOf(value)] ?? other(value)}`;
  }
}

function other(value: unknown): string {
  const view = typeof value === 'object' && value !== null ? typedArrayTag(value) : undefined;
  return view === undefined ? `a special object (${native.kindOf(value)})` : `a ${view}: return [...array]`;
}

/** The access to a property as one would write it. */
export function member(key: string): string {
  if (isIdentifier(key)) return `.${key}`;
  return `[${stringifyJson(key.length > MAX_KEY ? `${sliceText(key, 0, MAX_KEY)}…` : key)}]`;
}

function isIdentifier(key: string): boolean {
  if (key.length === 0 || key.length > MAX_KEY) return false;
  for (let i = 0; i < key.length; i++) {
    const code = charCodeAt(key, i);
    const letter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95 || code === 36;
    if (!letter && (i === 0 || code < 48 || code > 57)) return false;
  }
  return true;
}
