// What V8 leaves out of isolates that it will serialise.
import { expose } from './expose.ts';
import { lazily } from './lazy.ts';
import { native } from './native.ts';
import { loadPart } from './parts.ts';
import { create, defineProperty, globals, isInteger, TypeErrorClass } from './primordials.ts';

function wellKnownSymbol(name: string): symbol {
  const descriptor: PropertyDescriptor = create(null);
  const symbol = Symbol(`Symbol.${name}`);
  descriptor.value = symbol;
  defineProperty(Symbol, name, descriptor);
  return symbol;
}

const asyncIterator = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}.prototype));
const iteratorMethods = [wellKnownSymbol('dispose'), wellKnownSymbol('asyncDispose')] as const;

lazily(
  () => loadPart('builtins'),
  [
    [globals, 'SuppressedError'],
    [globals, 'DisposableStack'],
    [globals, 'AsyncDisposableStack'],
    [Iterator.prototype, iteratorMethods[0]],
    [asyncIterator, iteratorMethods[1]],
    [Iterator, 'concat'],
    [Map.prototype, 'getOrInsert'],
    [Map.prototype, 'getOrInsertComputed'],
    [WeakMap.prototype, 'getOrInsert'],
    [WeakMap.prototype, 'getOrInsertComputed'],
    [Promise, 'try'],
    [RegExp, 'escape'],
    [Uint8Array, 'fromBase64'],
    [Uint8Array, 'fromHex'],
    [Uint8Array.prototype, 'setFromBase64'],
    [Uint8Array.prototype, 'setFromHex'],
    [Uint8Array.prototype, 'toBase64'],
    [Uint8Array.prototype, 'toHex'],
  ],
);

lazily(() => {
  const { Temporal, toTemporalInstant } = loadPart('temporal');
  expose(globals, 'Temporal', Temporal);
  expose(Date.prototype, 'toTemporalInstant', toTemporalInstant);
}, [
  [globals, 'Temporal'],
  [Date.prototype, 'toTemporalInstant'],
]);

const small = {
  isError(value: unknown): boolean {
    return native.kindOf(value) === 'Error';
  },
  pause(iterations?: unknown): void {
    if (iterations !== undefined && !isInteger(iterations)) throw new TypeErrorClass('Expected an integer');
  },
};
expose(Error, 'isError', small.isError);
expose(Atomics, 'pause', small.pause);

// V8 leaves it out of the heap too: without it no error has a stack.
Error.stackTraceLimit = 10;
