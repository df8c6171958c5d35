import { expose, fixed, named } from './expose.ts';
import { copyMembers, type Method } from './intl-members.ts';
import { optionsRecorder } from './intl-options.ts';
import { forgetSegments, segmentsOf } from './intl-segments.ts';
import {
  apply,
  construct,
  create,
  defineProperty,
  getProperty,
  NativeIntl,
  ObjectClass,
  ownKeys,
  TypeErrorClass,
  WeakMapClass,
  weakGet,
  weakSet,
} from './primordials.ts';
import { slot } from './slot.ts';

type NativeConstructor = new (...args: unknown[]) => object;

/** How to make an object's native again, from plain data. */
interface Recipe {
  readonly native: NativeConstructor;
  readonly locales: unknown;
  readonly options: unknown;
}

// V8 cannot serialise a native Intl object. What user code holds are objects with a recipe; the natives live in these
// caches, which are thrown away before a snapshot, and are never handed out.
let natives = new WeakMapClass<object, object>();
let boundNatives = new WeakMapClass<object, Method>();
const recipes = slot<Recipe>();
const boundSlot = slot<Method>();

const { getCanonicalLocales } = NativeIntl;
const localeToString = NativeIntl.Locale.prototype.toString;
const NativeLocale: unknown = NativeIntl.Locale;

export function forgetNatives(): void {
  natives = new WeakMapClass();
  boundNatives = new WeakMapClass();
  forgetSegments();
}

/** V8's own Intl stays as it is, for this part to be made from again; user code gets this one. */
const ours = {};
const names = ownKeys(NativeIntl);
for (let i = 0; i < names.length; i++) {
  const name = names[i] ?? '';
  const native: unknown = getProperty(NativeIntl, name);
  if (typeof name === 'symbol') fixed(ours, name, native);
  else if (!isConstructor(native)) expose(ours, name, native);
  else if (name !== 'v8BreakIterator') expose(ours, name, wrapped(name, native, isCallable(name)));
}

export { ours as Intl };

function isCallable(name: string): boolean {
  return name === 'DateTimeFormat' || name === 'NumberFormat' || name === 'Collator';
}

function wrapped(name: string, native: NativeConstructor, callable: boolean): object {
  function Wrapper(locales?: unknown, options?: unknown): object {
    if (new.target === undefined && !callable) throw new TypeErrorClass(`Constructor Intl.${name} requires 'new'`);
    const self: object = construct(ObjectClass, [], new.target ?? Wrapper);
    const recorder = optionsRecorder(options);
    const tags = native === NativeLocale ? tagOf(locales) : localesOf(locales);
    const made: object = construct(native, [tags, recorder.given]);
    keep(self, native, made, tags, recorder.recorded);
    return self;
  }
  named(Wrapper, name);
  fixed(Wrapper, 'length', native.length);
  copyMembers(native, Wrapper, (method) => (_self, args) => apply(method, native, args));
  copyMembers(native.prototype, Wrapper.prototype, (method, key) => {
    if (key === 'segment') return (self, args) => segmentsOf(() => nativeOf(self), segmentText(method, self, args));
    if (key === 'maximize' || key === 'minimize') {
      return (self, args) => construct(Wrapper, [apply(localeToString, apply(method, nativeOf(self), args), [])]);
    }
    if (key === 'get format' || key === 'get compare') return (self) => boundTo(self, method);
    return (self, args) => apply(method, nativeOf(self), args);
  });
  if (native === NativeLocale) exposeAsList(Wrapper.prototype);
  const readOnly: PropertyDescriptor = create(null);
  readOnly.writable = false;
  defineProperty(Wrapper, 'prototype', readOnly);
  return Wrapper;
}

function keep(self: object, native: NativeConstructor, made: object, locales: unknown, options: unknown): void {
  const isLocale = native === NativeLocale;
  const plain = isLocale ? apply(localeToString, made, []) : locales;
  recipes.set(self, { native, locales: plain, options: isLocale ? undefined : options });
  weakSet(natives, self, made);
}

/** The native of one of our objects; anything else is given back, for V8 to refuse in its own words. */
function nativeOf(self: unknown): unknown {
  if (typeof self !== 'object' || self === null || !recipes.has(self)) return self;
  const known = weakGet(natives, self);
  if (known !== undefined) return known;
  const { native, locales, options } = recipes.get(self);
  const made: object = construct(native, [locales, options]);
  weakSet(natives, self, made);
  return made;
}

/** `format` and `compare` are getters of a bound function, the same at each read. */
function boundTo(self: unknown, getter: Method): unknown {
  if (typeof self !== 'object' || self === null || !recipes.has(self)) return apply(getter, self, []);
  if (!boundSlot.has(self)) {
    const call = (...args: unknown[]) => apply(boundNative(self, getter), undefined, args);
    fixed(named(call, ''), 'length', boundNative(self, getter).length);
    boundSlot.set(self, call);
  }
  return boundSlot.get(self);
}

function boundNative(self: object, getter: Method): Method {
  const known = weakGet(boundNatives, self);
  if (known !== undefined) return known;
  const method: unknown = apply(getter, nativeOf(self), []);
  if (!isMethod(method)) throw new TypeErrorClass('Illegal invocation');
  weakSet(boundNatives, self, method);
  return method;
}

/** V8 refuses a wrong receiver, and reads the text, before anything is kept. */
function segmentText(segment: Method, self: unknown, args: readonly unknown[]): string {
  const text = `${args[0]}`;
  apply(segment, nativeOf(self), [text]);
  return text;
}

function tagOf(locale: unknown): unknown {
  return typeof locale === 'object' && locale !== null && isLocale(locale) ? recipes.get(locale).locales : locale;
}

function localesOf(locales: unknown): unknown {
  const tag = tagOf(locales);
  return typeof tag === 'object' && tag !== null ? apply(getCanonicalLocales, undefined, [tag]) : tag;
}

function isLocale(value: object): boolean {
  return recipes.has(value) && recipes.get(value).native === NativeLocale;
}

// V8's toLocaleString and localeCompare take a native Locale or a list of tags. Ours is read as a list of one.
function exposeAsList(prototype: object): void {
  const first: PropertyDescriptor = create(null);
  first.get = function get(this: unknown) {
    return tagOf(this);
  };
  first.configurable = true;
  defineProperty(prototype, '0', first);
  expose(prototype, 'length', 1);
}

function isMethod(value: unknown): value is Method {
  return typeof value === 'function';
}

function isConstructor(value: unknown): value is NativeConstructor {
  return typeof value === 'function' && typeof value.prototype === 'object';
}
