import { fixed, named } from './expose.ts';
import { assign, create, defineProperty, getOwnPropertyDescriptor, hasOwn, ownKeys } from './primordials.ts';

export type Method = (...args: unknown[]) => unknown;
/** What a copied method does, given its receiver and arguments. */
export type Body = (self: unknown, args: readonly unknown[]) => unknown;

/** Copies methods, getters and tags with their names, lengths and attributes; `bodyFor` says what they do. */
export function copyMembers(from: object, to: object, bodyFor: (method: Method, name: string) => Body): void {
  const keys = ownKeys(from);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? '';
    const original = getOwnPropertyDescriptor(from, key);
    if (original === undefined || key === 'constructor' || key === 'prototype' || key === 'name' || key === 'length')
      continue;
    const copy: PropertyDescriptor = assign(create(null), original);
    // From the copy, which has no prototype: user code may have put such names on Object.prototype.
    if (typeof copy.value === 'function') copy.value = copied(copy.value, bodyFor);
    if (copy.get !== undefined) copy.get = copied(copy.get, bodyFor);
    defineProperty(to, key, copy);
  }
  if (hasOwn(to, 'constructor')) {
    const hidden: PropertyDescriptor = create(null);
    hidden.enumerable = false;
    defineProperty(to, 'constructor', hidden);
  }
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
