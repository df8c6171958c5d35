// What V8 leaves out of isolates that it will serialise.
import { expose } from './expose.ts';
import { lazily, lazyGlobals } from './lazy.ts';
import { native } from './native.ts';
import { polyfilled } from './polyfilled.ts';
import {
  create,
  DateClass,
  defineProperty,
  getProperty,
  isInteger,
  objectEntries,
  SymbolClass,
  TypeErrorClass,
} from './primordials.ts';

for (const [name, member] of objectEntries(polyfilled())) lazily('builtins', name, member[0], member[1]);
lazily('temporal', 'toTemporalInstant', DateClass.prototype, 'toTemporalInstant');
lazyGlobals('temporal', ['Temporal']);

const dispose = wellKnownSymbol('dispose');
const asyncDispose = wellKnownSymbol('asyncDispose');
const small = {
  isError(value: unknown): boolean {
    return native.kindOf(value) === 'Error';
  },
  pause(iterations?: unknown): void {
    if (iterations !== undefined && !isInteger(iterations)) throw new TypeErrorClass('Expected an integer');
  },
  [dispose](this: Iterator<unknown>): void {
    this.return?.();
  },
  async [asyncDispose](this: AsyncIterator<unknown>): Promise<void> {
    await this.return?.();
  },
};
expose(Error, 'isError', small.isError);
expose(Atomics, 'pause', small.pause);
expose(Iterator.prototype, dispose, small[dispose]);
expose(
  Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}.prototype)),
  asyncDispose,
  small[asyncDispose],
);

// V8 leaves it out of the heap too: without it no error has a stack.
Error.stackTraceLimit = 10;

/** The symbol, made if this V8 lacks it: it cannot be defined again. */
function wellKnownSymbol(name: string): symbol {
  const descriptor: PropertyDescriptor = create(null);
  descriptor.value = SymbolClass(`Symbol.${name}`);
  defineProperty(SymbolClass, name, descriptor);
  return getProperty(SymbolClass, name);
}
