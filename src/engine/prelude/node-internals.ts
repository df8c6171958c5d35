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
  ownKeys,
  padStart,
  RangeErrorClass,
  typedArrayTag,
} from './primordials.ts';

const ONLY_ENUMERABLE = 2;
const isError = (value: unknown) => native.kindOf(value) === 'Error' || value instanceof ErrorClass;
const is = (kind: string) => (value: unknown) => native.kindOf(value) === kind;
const either = (kind: string, other: string) => (value: unknown) => is(kind)(value) || is(other)(value);
const boxes = ['Number', 'String', 'Boolean', 'BigInt', 'Symbol'];

function isIndex(key: string | symbol): boolean {
  if (typeof key === 'symbol') return false;
  const index = +key;
  return `${index >>> 0}` === key && index < 2 ** 32 - 1;
}

function getOwnNonIndexProperties(value: object, filter: number): (string | symbol)[] {
  const keys = native.nonIndexKeys?.(value) ?? ownKeys(value);
  const kept: (string | symbol)[] = [];
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? '';
    if (isIndex(key)) continue;
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

export const internalBinding = (name: string) => bindings[name];

// internal/util, internal/errors, internal/validators, internal/bootstrap/realm
export { isError };
export const customInspectSymbol = Symbol.for('nodejs.util.inspect.custom');
export const join = arrayJoin;
export const removeColors = (text: string) => text;
export const isStackOverflowError = (error: unknown) =>
  error instanceof RangeErrorClass && error.message === 'Maximum call stack size exceeded';
export const validateObject = () => {};
export const validateString = () => {};
export const kValidateObjectAllowArray = 2;
export const BuiltinModule = { exists: () => false };

// internal/util/types
export const isAsyncFunction = either('AsyncFunction', 'AsyncGeneratorFunction');
export const isGeneratorFunction = either('GeneratorFunction', 'AsyncGeneratorFunction');
export const isAnyArrayBuffer = either('ArrayBuffer', 'SharedArrayBuffer');
export const isArrayBuffer = is('ArrayBuffer');
export const isArgumentsObject = is('Arguments');
export const isDataView = is('DataView');
export const isExternal = is('External');
export const isMap = is('Map');
export const isMapIterator = is('MapIterator');
export const isModuleNamespaceObject = is('ModuleNamespace');
export const isNativeError = is('Error');
export const isPromise = is('Promise');
export const isSet = is('Set');
export const isSetIterator = is('SetIterator');
export const isWeakMap = is('WeakMap');
export const isWeakSet = is('WeakSet');
export const isRegExp = is('RegExp');
export const isDate = is('Date');
export const isTypedArray = (value: unknown) =>
  typeof value === 'object' && value !== null && typedArrayTag(value) !== undefined;
export const isNumberObject = is('Number');
export const isStringObject = is('String');
export const isBooleanObject = is('Boolean');
export const isBigIntObject = is('BigInt');
export function isBoxedPrimitive(value: unknown): boolean {
  const kind = native.kindOf(value);
  for (let i = 0; i < boxes.length; i++) if (boxes[i] === kind) return true;
  return false;
}

// internal/url: a URL prints by its own inspect method
export class URL {}

// buffer: for the bytes of an ArrayBuffer
export class Buffer {
  static hex(bytes: Uint8Array, start: number, end: number): string {
    const digits = list<string>();
    for (let i = start; i < end; i++) digits[i - start] = padStart(numberToText(bytes[i] ?? 0, 16), 2, '0');
    return arrayJoin(digits, '');
  }
  hexSlice(start: number, end: number): string {
    return apply(Buffer.hex, undefined, [this, start, end]);
  }
}
