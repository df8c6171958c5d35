import { domError } from './dom-error.ts';
import { named } from './expose.ts';
import { native } from './native.ts';
import { list, setPrototypeOf, TypeErrorClass } from './primordials.ts';

interface Options {
  readonly transfer?: Iterable<unknown>;
}

function clone(...args: [value?: unknown, options?: Options]): unknown {
  if (args.length === 0) throw new TypeErrorClass('The "value" argument must be specified');
  setPrototypeOf(args, null);
  const value = args[0];
  const options = args[1];
  const transfer = list<ArrayBuffer>();
  if (options?.transfer !== undefined) {
    for (const item of options.transfer) {
      if (!isArrayBuffer(item)) throw uncloneable('Value not transferable');
      transfer[transfer.length] = item;
    }
  }
  try {
    return native.clone(value, transfer);
  } catch (error) {
    if (typeof error === 'string') throw uncloneable(error);
    throw error;
  }
}

function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return native.kindOf(value) === 'ArrayBuffer';
}

function uncloneable(message: string): Error {
  return domError(message, 'DataCloneError');
}

export const structuredClone = named(clone, 'structuredClone');
