import { fixed, named } from './expose.ts';
import { create, defineProperty, getOwnPropertyDescriptor, ownKeys } from './primordials.ts';

export type Method = (...args: unknown[]) => unknown;
/** What a copied method does, given its receiver and arguments. */
export type Body = (self: unknown, args: readonly unknown[]) => unknown;

/** Copies methods, getters and tags with their names, lengths and attributes; `bodyFor` says what they do. */
export function copyMembers(from: object, to: object, bodyFor: (method: Method, name: string) => Body): void {
  for (const key of ownKeys(from)) {
    const original = getOwnPropertyDescriptor(from, key);
    if (original === undefined || key === 'constructor' || key === 'prototype' || key === 'name' || key === 'length')
      continue;
    const copy: PropertyDescriptor = Object.assign(create(null), original);
    if (typeof original.value === 'function') copy.value = copied(original.value, bodyFor);
    if (original.get !== undefined) copy.get = copied(original.get, bodyFor);
    defineProperty(to, key, copy);
  }
  const owner = getOwnPropertyDescriptor(to, 'constructor');
  if (owner !== undefined) defineProperty(to, 'constructor', Object.assign(owner, { enumerable: false }));
}

function copied(original: Method, bodyFor: (method: Method, name: string) => Body): Method {
  const body = bodyFor(original, original.name);
  // Method syntax: like a builtin, it has no prototype and cannot be constructed.
  const { method } = {
    method(this: unknown, ...args: unknown[]) {
      return body(this, args);
    },
  };
  fixed(named(method, original.name), 'length', original.length);
  return method;
}
