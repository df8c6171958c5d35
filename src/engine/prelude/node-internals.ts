// What Node's own inspect.js and cli_table.js ask of the rest of Node, answered from the isolate's native functions.
import { native } from './native.ts';
import {
  apply,
  arrayJoin,
  arrayPush,
  ErrorClass,
  getOwnPropertyDescriptor,
  list,
  numberToText,
  padStart,
  RangeErrorClass,
  symbolFor,
  typedArrayTag,
} from './primordials.ts';

const ONLY_ENUMERABLE = 2;
const isError = (value: unknown) => native.kindOf(value) === 'Error' || value instanceof ErrorClass;
const is = (kind: string) => (value: unknown) => native.kindOf(value) === kind;
const either = (kind: string, other: string) => (value: unknown) => is(kind)(value) || is(other)(value);
const boxes = ['Number', 'String', 'Boolean', 'BigInt', 'Symbol'];

function getOwnNonIndexProperties(value: object, filter: number): (string | symbol)[] {
  const keys = native.nonIndexKeys(value);
  const kept: (string | symbol)[] = [];
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? '';
    if (filter === ONLY_ENUMERABLE && getOwnPropertyDescriptor(value, key)?.enumerable !== true) continue;
    arrayPush(kept, key);
  }
  return kept;
}

function getProxyDetails(value: unknown, both = true): unknown {
  const details = native.proxyDetails(value);
  return details === undefined || both ? details : details[0];
}

function previewEntries(value: unknown, withKind = false): unknown {
  const preview = native.previewEntries(value) ?? [[], false];
  return withKind ? preview : preview[0];
}

const bindings: Record<string, object> = {
  util: {
    constants: { ALL_PROPERTIES: 0, ONLY_ENUMERABLE, kPending: 0, kFulfilled: 1, kRejected: 2 },
    getOwnNonIndexProperties,
    getPromiseDetails: (value: unknown) => native.promiseDetails(value) ?? [0, undefined],
    getProxyDetails,
    previewEntries,
    getConstructorName: (value: object) => native.constructorName(value),
    getExternalValue: () => 0n,
  },
  config: { hasIntl: false },
};

class Buffer {
  static hex(bytes: Uint8Array, start: number, end: number): string {
    const digits = list<string>();
    for (let i = start; i < end; i++) digits[i - start] = padStart(numberToText(bytes[i] ?? 0, 16), 2, '0');
    return arrayJoin(digits, '');
  }
  hexSlice(start: number, end: number): string {
    return apply(Buffer.hex, undefined, [this, start, end]);
  }
}

function isBoxedPrimitive(value: unknown): boolean {
  const kind = native.kindOf(value);
  for (let i = 0; i < boxes.length; i++) if (boxes[i] === kind) return true;
  return false;
}

export const internals = {
  internalBinding: (name: string) => bindings[name],

  // internal/util, internal/errors, internal/validators, internal/bootstrap/realm
  isError,
  customInspectSymbol: symbolFor('nodejs.util.inspect.custom'),
  join: arrayJoin,
  removeColors: (text: string) => text,
  isStackOverflowError: (error: unknown) =>
    error instanceof RangeErrorClass && error.message === 'Maximum call stack size exceeded',
  validateObject() {},
  validateString() {},
  kValidateObjectAllowArray: 2,
  BuiltinModule: { exists: () => false },

  // internal/util/types
  isAsyncFunction: either('AsyncFunction', 'AsyncGeneratorFunction'),
  isGeneratorFunction: either('GeneratorFunction', 'AsyncGeneratorFunction'),
  isAnyArrayBuffer: either('ArrayBuffer', 'SharedArrayBuffer'),
  isArrayBuffer: is('ArrayBuffer'),
  isArgumentsObject: is('Arguments'),
  isDataView: is('DataView'),
  isExternal: is('External'),
  isMap: is('Map'),
  isMapIterator: is('MapIterator'),
  isModuleNamespaceObject: is('ModuleNamespace'),
  isNativeError: is('Error'),
  isPromise: is('Promise'),
  isSet: is('Set'),
  isSetIterator: is('SetIterator'),
  isWeakMap: is('WeakMap'),
  isWeakSet: is('WeakSet'),
  isRegExp: is('RegExp'),
  isDate: is('Date'),
  isTypedArray: (value: unknown) => typeof value === 'object' && value !== null && typedArrayTag(value) !== undefined,
  isNumberObject: is('Number'),
  isStringObject: is('String'),
  isBooleanObject: is('Boolean'),
  isBigIntObject: is('BigInt'),
  isBoxedPrimitive,

  // internal/url: a URL prints by its own inspect method. buffer: for the bytes of an ArrayBuffer
  URL: class {},
  Buffer,
};
