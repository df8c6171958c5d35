import { named, tagged } from './expose.ts';
import { symbolKey, TypeErrorClass, WeakMapClass, weakRemove, weakSet } from './primordials.ts';

/**
 * V8 cannot serialise a registry whose target has died. This one never calls back, which the specification allows, and
 * remembers tokens only to answer `unregister`.
 */
class Registry {
  readonly #tokens = new WeakMapClass<object, true>();

  constructor(cleanup: unknown) {
    if (typeof cleanup !== 'function') throw new TypeErrorClass('FinalizationRegistry: cleanup must be callable');
  }
  register(target: unknown, heldValue: unknown, token?: unknown): void {
    if (!canBeHeldWeakly(target)) throw new TypeErrorClass('Invalid value used in FinalizationRegistry');
    if (target === heldValue) {
      throw new TypeErrorClass('FinalizationRegistry.prototype.register: target and holdings must not be same');
    }
    if (token === undefined) return void this.#tokens;
    if (!canBeHeldWeakly(token)) throw new TypeErrorClass(`Invalid unregisterToken`);
    weakSet(this.#tokens, token, true);
  }
  unregister(token: unknown): boolean {
    if (!canBeHeldWeakly(token)) throw new TypeErrorClass(`Invalid unregisterToken`);
    return weakRemove(this.#tokens, token);
  }
}

function canBeHeldWeakly(value: unknown): value is object {
  if (typeof value === 'symbol') return symbolKey(value) === undefined;
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

tagged(Registry.prototype, 'FinalizationRegistry');
named(Registry, 'FinalizationRegistry');

export { Registry as FinalizationRegistry };
