import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { heapOf, runSteps, testEngine } from '../steps.ts';
import { assertValues, printed } from './printed.ts';

const engine = testEngine();

const names = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'queueMicrotask',
  'TextEncoder',
  'TextDecoder',
  'atob',
  'btoa',
  'Event',
  'CustomEvent',
  'EventTarget',
  'AbortController',
  'AbortSignal',
  'DOMException',
  'FinalizationRegistry',
  'Intl',
  'structuredClone',
  'crypto',
  'performance',
  'URL',
  'URLSearchParams',
  'SuppressedError',
  'DisposableStack',
  'AsyncDisposableStack',
  'Temporal',
];

describe('a global that is made when it is first used', () => {
  test('is there, is not enumerable, and is the same at each read', async () => {
    const source = `${JSON.stringify(names)}.filter((name) => !(name in globalThis) || !Object.hasOwn(globalThis, name)
      || Object.keys(globalThis).includes(name) || globalThis[name] === undefined || globalThis[name] !== globalThis[name]
      || Object.keys(globalThis).includes(name) || !('value' in Object.getOwnPropertyDescriptor(globalThis, name))
      || (typeof globalThis[name] === 'function' && globalThis[name].name !== name))`;
    assert.equal((await printed(engine, source)).value, '[]');
  });

  test('gives way to an assignment, without being made', async () => {
    const source = `${JSON.stringify(names)}.filter((name) => { globalThis[name] = 5; const d = Object.getOwnPropertyDescriptor(globalThis, name);
      return d.value !== 5 || !d.writable || !d.configurable || d.enumerable })`;
    assert.equal((await printed(engine, source)).value, '[]');
  });

  test('can be declared by user code, in every way', async () => {
    await runSteps(engine, [
      [
        'var Event = 1; let URL = 2; const Temporal = 3; function atob() { return 4 } class Intl { x = 5 } [Event, URL, Temporal, atob(), new Intl().x]',
        [1, 2, 3, 4, 5],
      ],
      ['crypto = 6; [Event, URL, Temporal, atob(), new Intl().x, crypto]', [1, 2, 3, 4, 5, 6]],
      ['delete globalThis.TextEncoder; [typeof TextEncoder, typeof TextDecoder]', ['undefined', 'function']],
      ['[typeof TextEncoder, typeof btoa]', ['undefined', 'function']],
    ]);
  });

  test('stays what it is in later runs', async () => {
    await runSteps(engine, [
      [
        'const D = DOMException; const e = new Event("x"); const url = new URL("http://a/?b=1"); const signal = AbortSignal.abort(); 1',
        1,
      ],
      [
        'try { atob("*") } catch (error) { [error instanceof D, D === DOMException, e instanceof Event, url instanceof URL, signal.reason instanceof D, url.searchParams.get("b")] }',
        [true, true, true, true, true, '1'],
      ],
    ]);
  });

  test('can be omitted', async () => {
    const { value } = await printed(engine, '[typeof setTimeout, typeof URL, typeof Intl, typeof btoa]', {
      omitGlobals: ['setTimeout', 'URL', 'Intl'],
    });
    assert.deepEqual(JSON.parse(value), ['undefined', 'undefined', 'undefined', 'function']);
  });

  test('on a prototype: assigning to an instance leaves the prototype alone', async () => {
    await assertValues(engine, {
      '(() => { const m = new Map(); m.getOrInsert = 5; return [m.getOrInsert, Object.keys(m), typeof Map.prototype.getOrInsert, new Map([[1, 2]]).getOrInsert(1, 3)] })()':
        [5, ['getOrInsert'], 'function', 2],
      '(() => { Promise.try = 7; return Promise.try })()': 7,
    });
  });
});

describe('the heap', () => {
  test('is small, and printing an object or failing does not make it grow', async () => {
    const plain = heapOf(await engine.run({ source: 'var x = 1' }));
    const inspected = heapOf(
      await engine.run({ source: 'console.log({ a: [1, new Map([[1, 2]])] }); var x = new Date(0); x' }),
    );
    assert.ok(plain.length < 560_000, `${plain.length} bytes`);
    assert.ok(inspected.length - plain.length < 8000, `${inspected.length - plain.length} bytes more`);
  });
});

// What programs do to builtins before they first use something of the prelude.
const hostile = `{
  const define = Object.defineProperty, keys = Reflect.ownKeys, Failure = Error;
  const isFunction = (x) => typeof x === 'function';
  const prototypes = [Map, Set, String, RegExp, WeakMap, Promise, Function, Array].map((c) => c.prototype);
  const statics = [Object, JSON, Math, Number, String, Symbol, Error, Date, Reflect, Proxy];
  for (let i = 0; i < prototypes.length; i++) for (let j = 0, all = keys(prototypes[i]); j < all.length; j++) {
    if (all[j] === 'constructor' || all[j] === 'length') continue;
    try { define(prototypes[i], all[j], { __proto__: null, value() { throw new Failure('patched') }, configurable: true, writable: true }) } catch {}
  }
  for (let i = 0; i < statics.length; i++) for (let j = 0, all = keys(statics[i]); j < all.length; j++) {
    if (all[j] !== 'prototype' && all[j] !== 'prepareStackTrace' && isFunction(statics[i][all[j]]))
      try { define(statics[i], all[j], { __proto__: null, value: () => { throw new Failure('patched') } }) } catch {}
  }
  const polluted = ['writable', 'enumerable', 'configurable', 'value', 'depth', 'colors', 'map', 'hold', 'then', 'code', 'transfer', 'styles', 'custom'];
  for (let i = 0; i < polluted.length; i++) define(Object.prototype, polluted[i], { __proto__: null, get() { globalThis.touched = polluted[i] }, set() { globalThis.touched = polluted[i] }, configurable: true });
  for (let i = 0; i < 3; i++) define(Array.prototype, i, { __proto__: null, get() {}, set(value) { globalThis.leaked = value }, configurable: true });
}`;

const uses: Record<string, string> = {
  'console.log({ a: 1 }, [1], 5); "x"': '"x"',
  'console.table([{ a: 1 }]); console.group(); console.count(); console.dir({}); 1': '1',
  'setTimeout(() => {}, 1); clearTimeout(setTimeout(() => {}, 9e5)); queueMicrotask(() => {}); 1': '1',
  'crypto.randomUUID().length': '36',
  'performance.now() > 0': 'true',
  'atob("YQ==") + btoa("a")': '"aYQ=="',
  'try { atob("*") } catch (e) { e.name }': '"InvalidCharacterError"',
  'new TextDecoder().decode(new TextEncoder().encode("ab"))': '"ab"',
  'const c = new AbortController(); c.abort(); c.signal.aborted': 'true',
  'structuredClone({ a: 1 }).a': '1',
  'new Intl.NumberFormat("de").format(1234.5)': '"1.234,5"',
  'new Intl.Segmenter("en").segment("ab").containing(1).segment': '"b"',
  'new FinalizationRegistry(() => {}).register({}, 1); 1': '1',
};

test('what is made late works from the builtins as they were, and lends them to nobody', async () => {
  for (const [use, expected] of Object.entries(uses)) {
    const { value } = await printed(engine, `${hostile}\n${use}`);
    assert.equal(value, expected, use);
    // Node's code puts the texts of an array's elements into an array of its own: they may be seen, and nothing else.
    const seen = await printed(
      engine,
      `${hostile}\n${use}; (typeof leaked === 'string' || typeof leaked) + ' ' + typeof touched`,
    );
    assert.match(seen.value, /^"(true|undefined) undefined"$/, use);
  }
});
