// The builtins as they are when the base heap is baked. User code may overwrite any of them later, so prelude code
// calls these and never a method of a prototype; it also never spreads, destructures or iterates an array, and reads
// optional properties only from objects without a prototype.
const { bind, call } = Function.prototype;

/** A method as a function whose first parameter is its receiver. */
export function uncurry<F>(method: (...args: never[]) => unknown): F {
  return apply(bind, call, [method]);
}

function getterOf<F>(holder: object, key: string | symbol): F {
  return uncurry<F>(Object.getOwnPropertyDescriptor(holder, key)?.get ?? (() => undefined));
}

export const {
  apply,
  construct,
  defineProperty,
  deleteProperty,
  get: getProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  ownKeys,
} = Reflect;
export const { assign, create, entries: objectEntries, freeze, hasOwn, is, keys: objectKeys, setPrototypeOf } = Object;
export const { isArray } = Array;
export const { parse: parseJson, stringify: stringifyJson } = JSON;
export const { ceil, floor, max, min, trunc } = Math;
export const { isFinite: isFiniteNumber, isInteger } = Number;
export const { now: dateNow } = Date;
export const { fromCharCode } = String;
export const { for: symbolFor, iterator: iteratorSymbol, keyFor: symbolKey, toStringTag } = Symbol;
export const { isView } = ArrayBuffer;
export const toNumber = Number;
export const toBoolean = Boolean;
export const toText = String;
export const ErrorClass = Error;
export const RangeErrorClass = RangeError;
export const TypeErrorClass = TypeError;
export const MapClass = Map;
export const SetClass = Set;
export const WeakMapClass = WeakMap;
export const Uint8 = Uint8Array;
export const DateClass = Date;
export const IteratorClass = Iterator;
export const PromiseClass = Promise;
export const RegExpClass = RegExp;
export const SymbolClass = Symbol;
export const ProxyClass = Proxy;
export const ObjectClass = Object;
export const functionPrototype = Function.prototype;
export const NativeIntl = Intl;
export const globals = globalThis;

export const arrayJoin: (list: readonly unknown[], separator: string) => string = uncurry(Array.prototype.join);
export const arrayPush: <T>(list: T[], item: T) => number = uncurry(Array.prototype.push);
export const arrayPop: <T>(list: T[]) => T | undefined = uncurry(Array.prototype.pop);
export const arraySplice: <T>(list: T[], start: number, count: number) => T[] = uncurry(Array.prototype.splice);
export const arraySlice: <T>(list: readonly T[], start?: number, end?: number) => T[] = uncurry(Array.prototype.slice);

export const charCodeAt: (text: string, index: number) => number = uncurry(String.prototype.charCodeAt);
export const indexOf: (text: string, part: string, from?: number) => number = uncurry(String.prototype.indexOf);
export const lastIndexOf: (text: string, part: string) => number = uncurry(String.prototype.lastIndexOf);
export const sliceText: (text: string, start: number, end?: number) => string = uncurry(String.prototype.slice);
export const padStart: (text: string, length: number, fill: string) => string = uncurry(String.prototype.padStart);
export const toLowerCase: (text: string) => string = uncurry(String.prototype.toLowerCase);
export const toUpperCase: (text: string) => string = uncurry(String.prototype.toUpperCase);
export const trim: (text: string) => string = uncurry(String.prototype.trim);
export const replaceAll: (text: string, part: string, by: string) => string = uncurry(String.prototype.replaceAll);
export const isWellFormed: (text: string) => boolean = uncurry(String.prototype.isWellFormed);
export const toWellFormed: (text: string) => string = uncurry(String.prototype.toWellFormed);
export const numberToText: (value: number, radix: number) => string = uncurry(Number.prototype.toString);
export const toFixed: (value: number, digits: number) => string = uncurry(Number.prototype.toFixed);
export const errorToString: (error: unknown) => string = uncurry(Error.prototype.toString);

export const mapGet: <K, V>(map: Map<K, V>, key: K) => V | undefined = uncurry(Map.prototype.get);
export const mapSet: <K, V>(map: Map<K, V>, key: K, value: V) => Map<K, V> = uncurry(Map.prototype.set);
export const mapDelete: <K>(map: Map<K, unknown>, key: K) => boolean = uncurry(Map.prototype.delete);
export const mapClear: (map: Map<string, unknown> | Map<number, unknown>) => void = uncurry(Map.prototype.clear);
export const setHas: <T>(set: Set<T>, value: T) => boolean = uncurry(Set.prototype.has);
export const setAdd: <T>(set: Set<T>, value: T) => Set<T> = uncurry(Set.prototype.add);
export const setDelete: <T>(set: Set<T>, value: T) => boolean = uncurry(Set.prototype.delete);
export const weakGet: <V>(map: WeakMap<object, V>, key: object) => V | undefined = uncurry(WeakMap.prototype.get);
export const weakSet: <V>(map: WeakMap<object, V>, key: object, value: V) => unknown = uncurry(WeakMap.prototype.set);
export const weakRemove: (map: WeakMap<object, unknown>, key: object) => boolean = uncurry(WeakMap.prototype.delete);

const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
export const bytesLength: (view: object) => number = getterOf(typedArray, 'byteLength');
export const bytesOffset: (view: object) => number = getterOf(typedArray, 'byteOffset');
export const bytesBuffer: (view: object) => ArrayBuffer = getterOf(typedArray, 'buffer');
export const typedArrayTag: (view: object) => string | undefined = getterOf(typedArray, Symbol.toStringTag);
export const bytesSet: (view: Uint8Array, from: Uint8Array, at: number) => void = uncurry(typedArray.set);
export const subarray: (view: Uint8Array, start: number, end?: number) => Uint8Array = uncurry(typedArray.subarray);
export const viewLength: (view: object) => number = getterOf(DataView.prototype, 'byteLength');
export const viewOffset: (view: object) => number = getterOf(DataView.prototype, 'byteOffset');
export const bufferLength: (buffer: object) => number = getterOf(ArrayBuffer.prototype, 'byteLength');
export const viewBuffer: (view: object) => ArrayBuffer = getterOf(DataView.prototype, 'buffer');

/** An array without a prototype: index setters and methods that user code puts on Array.prototype do not see it. */
export function list<T>(): T[] {
  const items: T[] = [];
  setPrototypeOf(items, null);
  return items;
}
