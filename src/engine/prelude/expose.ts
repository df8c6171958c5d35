import { create, defineProperty, getProperty, hasOwn, toStringTag } from './primordials.ts';

/** Defines a property as builtins have it: writable, configurable, not enumerable. */
export function expose(target: object, key: string | symbol, value: unknown, enumerable = false): void {
  const descriptor: PropertyDescriptor = create(null);
  descriptor.value = value;
  descriptor.writable = true;
  descriptor.configurable = true;
  descriptor.enumerable = enumerable;
  defineProperty(target, key, descriptor);
}

/** Gives a function or class its name, which the minifier has changed. */
export function named<F extends object>(value: F, name: string): F {
  fixed(value, 'name', name);
  return value;
}

/** A property that is configurable and nothing else, as `name`, `length` and `Symbol.toStringTag` are. */
export function fixed(target: object, key: string | symbol, value: unknown): void {
  const descriptor: PropertyDescriptor = create(null);
  descriptor.value = value;
  descriptor.configurable = true;
  defineProperty(target, key, descriptor);
}

export function tagged(prototype: object, tag: string): void {
  fixed(prototype, toStringTag, tag);
}

/** Web interfaces have enumerable members; class syntax makes them hidden. */
export function enumerable(prototype: object, keys: readonly string[]): void {
  for (let i = 0; i < keys.length; i++) {
    const descriptor: PropertyDescriptor = create(null);
    descriptor.enumerable = true;
    defineProperty(prototype, keys[i] ?? '', descriptor);
  }
}

/** An own property of an options bag or undefined, whatever Object.prototype has become. */
export function ownValue(object: object, key: string): unknown {
  return hasOwn(object, key) ? getProperty(object, key) : undefined;
}
