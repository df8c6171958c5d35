import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Outcome } from '../../src/engine/outcome.ts';
import { completed, heapOf, testEngine, valueText } from './steps.ts';

// Four at once, and the next run always goes to a process that may have served a hostile one.
const engine = testEngine({ size: 2, spares: 1 });

/** For what never ends; what runs out of memory is given the time for it, on a loaded machine too. */
const shortMs = 1500;
const longMs = 20_000;

interface Ending {
  readonly kinds: readonly Outcome['kind'][];
  /** Part of the error's or the value's text. */
  readonly text?: string | RegExp;
}

const endless: Ending = { kinds: ['timed_out'] };
const tooLarge: Ending = { kinds: ['out_of_memory'] };
const fails = (text: string | RegExp): Ending => ({ kinds: ['failed'], text });
const gives = (text: string | RegExp): Ending => ({ kinds: ['completed'], text });

const programs: Record<string, readonly [source: string, ending: Ending]> = {
  'an endless loop': ['for (;;);', endless],
  'an endless loop in a catch of its own': ['for (;;) { try { for (;;); } catch {} finally { for (;;); } }', endless],
  'endless microtasks': [
    'const again = () => Promise.resolve().then(again); again()',
    { kinds: ['timed_out', 'out_of_memory'] },
  ],
  'an endless promise chain': ['const chain = async () => { for (;;) await null }; chain()', endless],
  'an endless queueMicrotask': ['const spin = () => queueMicrotask(spin); spin(); 1', endless],
  'endless timers': ['setInterval(() => {}, 1); 1', endless],
  'endless timers of no delay': ['const tick = () => setTimeout(tick, 0); tick(); 1', endless],
  'deep recursion': ['(function f() { return f() + 1 })()', fails('RangeError: Maximum call stack size exceeded')],
  'deep recursion through a getter': ['const o = { get x() { return o.x } }; o.x', fails('Maximum call stack')],
  'deep recursion through toString': [
    'const o = { toString() { return `${o}` } }; `${o}`',
    fails('Maximum call stack'),
  ],
  'deep recursion through a Proxy': [
    'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x',
    fails('Maximum call stack'),
  ],
  'deeply nested JSON': ['JSON.parse("[".repeat(1e6))', fails(/SyntaxError|Maximum call stack/)],
  'new Array(1e9)': ['new Array(1e9).fill(0)', { kinds: ['out_of_memory', 'failed'] }],
  'an array that grows': ['const a = []; for (;;) a.push({ x: [1] })', tooLarge],
  'an array that grows in a catch of its own': [
    'const a = []; for (;;) { try { for (;;) a.push({ x: [1] }) } catch {} }',
    tooLarge,
  ],
  'doubling strings': ['let s = "x"; for (;;) s += s', fails('RangeError: Invalid string length')],
  'many large strings': [
    'const a = []; for (let i = 0; ; i++) a.push("y".repeat(1e6) + i, ("y" + i).repeat(1e5).split(""))',
    tooLarge,
  ],
  'a growing Map': [
    'const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })',
    { kinds: ['out_of_memory', 'failed'] },
  ],
  'growing array buffers': ['const a = []; for (;;) a.push(new ArrayBuffer(1e6))', tooLarge],
  'growing array buffers, caught': [
    'const a = []; for (;;) { try { a.push(new Uint8Array(1e6).fill(1)) } catch { a.push({}) } }',
    { kinds: ['out_of_memory', 'timed_out'] },
  ],
  'growing resizable array buffers': [
    'const a = []; for (;;) { const b = new ArrayBuffer(8, { maxByteLength: 2 ** 26 }); b.resize(2 ** 24); new Uint8Array(b).fill(1); a.push(b) }',
    tooLarge,
  ],
  'an array buffer beyond all memory': ['new ArrayBuffer(2 ** 40)', { kinds: ['failed', 'out_of_memory'] }],
  'a resizable array buffer beyond all memory': [
    'new ArrayBuffer(10, { maxByteLength: 2 ** 33 }); 1',
    { kinds: ['completed', 'failed', 'out_of_memory'] },
  ],
  'a catastrophic regular expression': ['/^(a+)+$/.test("a".repeat(50) + "b")', endless],
  'a 1 GB result': ['"x".repeat(2 ** 29 - 24)', { kinds: ['completed', 'out_of_memory'] }],
  'a result that grows past 1 GB': [
    'Array.from({ length: 20 }, () => "x".repeat(5e7))',
    { kinds: ['completed', 'out_of_memory'] },
  ],
  'Atomics.wait': ['Atomics.wait(new Int32Array(new ArrayBuffer(8)), 0, 0)', fails('TypeError')],
  'SharedArrayBuffer and WebAssembly': [
    '[typeof SharedArrayBuffer, typeof WebAssembly]',
    gives('["undefined","undefined"]'),
  ],
  'a thenable that never ends': ['({ then() { for (;;); } })', endless],
  'a thenable that throws': ['({ then() { throw new Error("then") } })', fails('Error: then')],
  'a thenable that never answers': ['({ then() {} })', gives(/then/)],
  'a thenable that resolves to itself for ever': ['const t = { then(r) { r(t) } }; t', endless],
  'a getter that throws in the value': ['({ get x() { throw new Error("getter") } })', gives(/x/)],
  'a getter that never ends in the value': ['({ get x() { for (;;); } })', endless],
  'a toJSON that never ends': ['({ toJSON() { for (;;); } })', endless],
  'an error whose message never ends': [
    'const e = new Error("m"); Object.defineProperty(e, "message", { get() { for (;;); } }); throw e',
    endless,
  ],
  'an error whose stack throws': [
    'const e = new Error("m"); Object.defineProperty(e, "stack", { get() { throw 1 } }); throw e',
    fails('Error: m'),
  ],
  'a thrown proxy whose traps throw': [
    'throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 }, ownKeys() { throw 3 } })',
    { kinds: ['failed'] },
  ],
  'a thrown undefined': ['throw undefined', fails(/undefined/)],
  'a thrown null': ['throw null', fails(/null/)],
  'a thrown symbol': ['throw Symbol("s")', fails(/Symbol\(s\)/)],
  'natives syntax': ['%DebugPrint(1)', fails('SyntaxError')],
  'natives syntax in eval': ['eval("%SystemBreak()")', fails('SyntaxError')],
  'natives syntax in a microtask during the snapshot': [
    '({ toJSON() { Promise.resolve().then(() => { try { globalThis.leak = Function("return %GetUndetectable()")() } catch (e) { globalThis.leak = e.name } }); return 1 } })',
    gives('1'),
  ],
  'source with NUL': ['"a\0b".length', gives('3')],
  'source with lone surrogates': ['"\ud800".length', gives('1')],
  'console.log with lone surrogates': ['console.log("\\ud800 x \\udc00"); 1', gives('1')],
  'a flood of labels': ['a: b: c: d: { break a } 7', gives('7')],
  'process, require, module': [
    '[typeof process, typeof require, typeof module, typeof Buffer, typeof global, typeof fetch]',
    gives('["undefined","undefined","undefined","undefined","undefined","undefined"]'),
  ],
  'import()': ['import("node:fs")', fails(/import\(\)/)],
  'the constructor of a constructor': ['console.log.constructor("return typeof process")()', gives('"undefined"')],
  'this of a sloppy callback': [
    'let seen; [1].forEach(function () { seen = this === globalThis }); setTimeout(function () { seen = seen && (this === undefined || this === globalThis || typeof this === "object") }, 0); await new Promise((r) => setTimeout(r, 5)); seen',
    gives('true'),
  ],
};

for (const [name, source] of Object.entries({
  'Object.prototype':
    'for (const k of ["then", "get", "set", "value", "length", "0", "name", "message", "stack", "toJSON", "constructor", "kind", "wrapped"]) Object.defineProperty(Object.prototype, k, { __proto__: null, get() { throw new Error("trap " + k) }, set() { throw new Error("set " + k) }, configurable: true });',
  'Array.prototype':
    'for (const k of Reflect.ownKeys(Array.prototype)) { if (k !== "length") try { Array.prototype[k] = () => { throw new Error("patched") } } catch {} }',
  'Promise.prototype.then':
    'Promise.prototype.then = () => { throw new Error("patched") }; Promise.resolve = Promise.reject = () => { throw new Error("patched") };',
  JSON: 'JSON.stringify = JSON.parse = () => { throw new Error("patched") }; globalThis.JSON = null;',
  'String, Map, Set, Symbol, Reflect, Function':
    'const { ownKeys } = Reflect; for (const o of [String.prototype, Map.prototype, Set.prototype, WeakMap.prototype, Function.prototype, RegExp.prototype, Error.prototype, Reflect, Object, Symbol]) for (const k of ownKeys(o)) { try { o[k] = () => { throw new Error("patched") } } catch {} }',
  'every global':
    'for (const k of Object.getOwnPropertyNames(globalThis)) { if (k !== "console") try { globalThis[k] = () => { throw new Error("patched") } } catch {} }',
})) {
  programs[`${name} overwritten before the prelude is used again`] = [
    `${source}\nconsole.log("text", 1); 42`,
    gives('42'),
  ];
  programs[`${name} overwritten, and an error thrown`] = [`${source}\nthrow 42`, fails(/42/)];
}

function textOf(outcome: Outcome): string {
  if (outcome.kind === 'completed') return outcome.value.text;
  return outcome.kind === 'failed' ? outcome.error.stack : '';
}

describe('a hostile program ends as it should, and the next run is unharmed', { concurrency: 2 }, () => {
  for (const [name, [source, ending]] of Object.entries(programs)) {
    test(name, async () => {
      const started = performance.now();
      let asked = started;
      const timeoutMs = ending.kinds.includes('timed_out') ? shortMs : longMs;
      const outcome = await engine.run({
        source,
        timeoutMs,
        heapMb: 64,
        onStart: () => {
          asked = performance.now();
        },
      });
      const took = performance.now() - asked;
      assert.ok(
        ending.kinds.includes(outcome.kind),
        `${JSON.stringify(outcome).slice(0, 500)} instead of ${ending.kinds}`,
      );
      const text = textOf(outcome);
      if (typeof ending.text === 'string') assert.ok(text.includes(ending.text), text.slice(0, 500));
      if (ending.text instanceof RegExp) assert.match(text.slice(0, 5000), ending.text);
      if (outcome.kind === 'timed_out') assert.ok(took < timeoutMs + 250, `${took} ms`);
      assert.equal(valueText(await engine.run({ source: '[1, 2].map((x) => x * 2).length + 40' })), '42');
    });
  }
});

test('a flood of console output is cut at its cap, and the run goes on', async () => {
  let size = 0;
  let last = '';
  const source = 'for (let i = 0; i < 3e5; i++) console.log("line " + i); "done"';
  const onConsole = (bytes: Buffer) => {
    size += bytes.length;
    last = bytes.toString();
  };
  const outcome = await engine.run({ source, maxOutputBytes: 100_000, timeoutMs: 20_000, onConsole });
  assert.equal(valueText(outcome), '"done"');
  assert.match(last, /\[output truncated: more than 100000 bytes\]\n$/);
  assert.ok(size < 100_200, `${size}`);
});

test('an endless flood of console output ends with its time-out', async () => {
  const outcome = await engine.run({
    source: 'for (;;) console.log("x".repeat(1000))',
    timeoutMs: 500,
    maxOutputBytes: 1e6,
  });
  assert.equal(outcome.kind, 'timed_out');
});

test('16 MB of source', async () => {
  const outcome = await engine.run({ source: `"${'x'.repeat(16 * 2 ** 20 - 20)}".length`, timeoutMs: 20_000 });
  assert.equal(valueText(outcome), `${16 * 2 ** 20 - 20}`);
});

test('no execution sees the values of another', async () => {
  await engine.run({
    source:
      'globalThis.secret = "s3cret"; var also = secret; Object.prototype.leak = secret; Array.prototype.leak = secret',
  });
  for (let i = 0; i < 4; i++) {
    const outcome = await engine.run({
      source: '[typeof secret, typeof also, {}.leak === undefined, [].leak === undefined]',
    });
    assert.equal(valueText(outcome), '["undefined","undefined",true,true]');
  }
});

test('the prelude is not reachable through stacks, callers or its own names', async () => {
  const source = `
    const found = [];
    Error.prepareStackTrace = (e, sites) => { for (const s of sites) { found.push(s.getThis(), s.getFunction()); } return sites };
    const look = () => new Error().stack;
    [3, 1, 2].sort(() => { look(); return 0 });
    ({ [Symbol.for('nodejs.util.inspect.custom')]() { look(); return 'x' } });
    console.log({ get x() { look(); return 1 }, toString() { look(); return '' } }, new Proxy({}, { get() { look() } }));
    setTimeout(() => look(), 0);
    queueMicrotask(() => look());
    await new Promise((r) => setTimeout(r, 5));
    const strange = found.filter((x) => x !== undefined && x !== globalThis && typeof x === 'object' && 'callSync' in x);
    [strange.length, typeof native, typeof hooks, typeof prelude, Object.keys(globalThis).filter((k) => /cay|core/i.test(k))]`;
  const outcome = await engine.run({ source });
  assert.equal(valueText(outcome), '[0,"undefined","undefined","undefined",[]]');
});

test('a heap that a hostile run left can be used, and harms only itself', async () => {
  const heap = heapOf(
    await engine.run({
      source:
        'Object.prototype.then = undefined; Array.prototype.push = null; Promise.prototype.then = null; JSON = null; console.log = null; 1',
    }),
  );
  assert.equal(valueText(await engine.run({ source: '({ a: [1] })', heap })), '{"a":[1]}');
  assert.equal(completed(await engine.run({ source: 'const x = await 5; x', heap })).value.text, '5');
});
