// Node's modules call builtins through `primordials`, by names such as ArrayPrototypePush. The prelude keeps the bare
// builtins, in one array and as they are when the base heap is baked; the wrappers are made where they are used.

type Wrapper = 'plain' | 'uncurried' | 'applied' | 'appliedTo';

interface Origin {
  /** What gives the builtin in a fresh context. */
  readonly expression: string;
  readonly wrapper: Wrapper;
}

const TYPED_ARRAYS = Object.getOwnPropertyNames(globalThis).filter((name) => /^[A-Z]\w+\d(Clamped)?Array$/.test(name));
/** Listed by Node, and made here or not needed. */
const OWN = ['SafeMap', 'SafeSet', 'SafeStringIterator', 'globalThis', 'uncurryThis'];
const SAFE = [
  'Map MapPrototypeGet MapPrototypeSet MapPrototypeHas MapPrototypeDelete MapPrototypeGetSize',
  'Set SetPrototypeAdd SetPrototypeHas SetPrototypeDelete SetPrototypeGetSize',
  'StringPrototypeSymbolIterator StringIteratorPrototypeNext SymbolIterator',
  'ArrayPrototypeIncludes ArrayPrototypePop ArrayPrototypePush',
].flatMap((names) => names.split(' '));

const origins = new Map<string, Origin>();
for (const name of Object.getOwnPropertyNames(globalThis)) {
  const value: unknown = Object.getOwnPropertyDescriptor(globalThis, name)?.value;
  if (/^[A-Z]/.test(name) && (typeof value === 'function' || (typeof value === 'object' && value !== null))) {
    add(name, name, value, typeof value === 'function' ? value.prototype : undefined);
  }
}
const typedArray = Object.getPrototypeOf(Uint8Array);
add('TypedArray', 'Object.getPrototypeOf(Uint8Array)', typedArray, typedArray.prototype);
for (const [name, made] of [
  ['Map', 'new Map()'],
  ['Set', 'new Set()'],
  ['String', "''"],
] as const) {
  const iterator = Object.getPrototypeOf(
    (name === 'Map' ? new Map() : name === 'Set' ? new Set() : '')[Symbol.iterator](),
  );
  addMembers(`${name}IteratorPrototype`, `Object.getPrototypeOf(${made}[Symbol.iterator]())`, iterator, 'uncurried');
}

/** The module `cay:raw` of the prelude: the bare builtins. */
export function rawModule(used: readonly string[]): string {
  return `export const raw = [${namesWith(used)
    .map((name) => originOf(name).expression)
    .join(', ')}];`;
}

/** The module that Node's code has for `primordials`: one export a name, so that the bundler drops what is not used. */
export function primordialsModule(used: readonly string[]): string {
  const names = namesWith(used);
  const members = names.map(
    (name, at) => `export const ${name} = /* @__PURE__ */ ${originOf(name).wrapper}(raw[${at}]);`,
  );
  const at = (name: string) => `raw[${names.indexOf(name)}]`;
  return `import { raw } from 'cay:raw';
    import { apply, uncurry } from './primordials.ts';
    const plain = (value) => value;
    const uncurried = uncurry;
    const applied = (method) => (self, args) => apply(method, self, args);
    const appliedTo = (method) => (args) => apply(method, undefined, args);
    ${members.join('\n')}
    export class SafeMap extends Map {
      get(key) { return MapPrototypeGet(this, key); }
      set(key, value) { return MapPrototypeSet(this, key, value); }
      has(key) { return MapPrototypeHas(this, key); }
      delete(key) { return MapPrototypeDelete(this, key); }
      get size() { return MapPrototypeGetSize(this); }
    }
    export class SafeSet extends Set {
      add(value) { return SetPrototypeAdd(this, value); }
      has(value) { return SetPrototypeHas(this, value); }
      delete(value) { return SetPrototypeDelete(this, value); }
      get size() { return SetPrototypeGetSize(this); }
    }
    export class SafeStringIterator {
      constructor(text) { this.iterator = StringPrototypeSymbolIterator(text); }
      next() { return StringIteratorPrototypeNext(this.iterator); }
      [SymbolIterator]() { return this; }
    }
    export const uncurryThis = uncurry;
    export const primordials = { __proto__: null, ${TYPED_ARRAYS.join(', ')} };
    export const listPrototype = {
      __proto__: null,
      includes: ${at('ArrayPrototypeIncludes')},
      pop: ${at('ArrayPrototypePop')},
      push: ${at('ArrayPrototypePush')},
    };`;
}

function namesWith(used: readonly string[]): string[] {
  return [...new Set([...used, ...SAFE, ...TYPED_ARRAYS])].filter((name) => !OWN.includes(name));
}

function originOf(name: string): Origin {
  const own = origins.get(name);
  if (own !== undefined) return own;
  const base = name.endsWith('Apply') ? origins.get(name.slice(0, -'Apply'.length)) : undefined;
  if (base === undefined) throw new Error(`Expected \`${name}\` to name a builtin: this is not the pinned Node`);
  return { expression: base.expression, wrapper: base.wrapper === 'uncurried' ? 'applied' : 'appliedTo' };
}

function add(name: string, expression: string, value: object, prototype: unknown): void {
  origins.set(name, { expression, wrapper: 'plain' });
  addMembers(name, expression, value, 'plain');
  if ((typeof prototype === 'object' && prototype !== null) || typeof prototype === 'function') {
    addMembers(`${name}Prototype`, `${expression}.prototype`, prototype, 'uncurried');
  }
}

function addMembers(prefix: string, holder: string, object: object, wrapper: Wrapper): void {
  for (const key of Reflect.ownKeys(object)) {
    const descriptor = Object.getOwnPropertyDescriptor(object, key);
    const text = typeof key === 'symbol' ? `Symbol.${key.description?.slice('Symbol.'.length)}` : JSON.stringify(key);
    const words = typeof key === 'symbol' ? ['Symbol', key.description?.slice('Symbol.'.length) ?? ''] : [key];
    const name = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('');
    if (descriptor?.get !== undefined) {
      const expression = `Object.getOwnPropertyDescriptor(${holder}, ${text}).get`;
      origins.set(`${prefix}Get${name}`, { expression, wrapper: 'uncurried' });
    } else {
      const callable = typeof descriptor?.value === 'function';
      origins.set(`${prefix}${name}`, { expression: `${holder}[${text}]`, wrapper: callable ? wrapper : 'plain' });
    }
  }
}
