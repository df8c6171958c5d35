import { globals, IteratorClass, MapClass, PromiseClass, RegExpClass, Uint8, WeakMapClass } from './primordials.ts';

/** The members that the part `builtins` has, under the names by which it exports them. */
export function polyfilled() {
  return {
    SuppressedError: [globals, 'SuppressedError'],
    DisposableStack: [globals, 'DisposableStack'],
    AsyncDisposableStack: [globals, 'AsyncDisposableStack'],
    iteratorConcat: [IteratorClass, 'concat'],
    mapGetOrInsert: [MapClass.prototype, 'getOrInsert'],
    mapGetOrInsertComputed: [MapClass.prototype, 'getOrInsertComputed'],
    weakMapGetOrInsert: [WeakMapClass.prototype, 'getOrInsert'],
    weakMapGetOrInsertComputed: [WeakMapClass.prototype, 'getOrInsertComputed'],
    promiseTry: [PromiseClass, 'try'],
    regExpEscape: [RegExpClass, 'escape'],
    fromBase64: [Uint8, 'fromBase64'],
    fromHex: [Uint8, 'fromHex'],
    setFromBase64: [Uint8.prototype, 'setFromBase64'],
    setFromHex: [Uint8.prototype, 'setFromHex'],
    toBase64: [Uint8.prototype, 'toBase64'],
    toHex: [Uint8.prototype, 'toHex'],
  } as const;
}
