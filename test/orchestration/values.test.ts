import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { wholeFile } from '../cleanup.ts';
import { startCodeServer } from './doors.ts';

const { run, value } = await startCodeServer(wholeFile(), { servers: {} });
const message = 'Result contains non-JSON-serializable values (functions, circular references, etc.)';

/** Each value that JSON cannot hold, and what is said of it. */
const refused: Readonly<Record<string, string>> = {
  '(() => 1)': 'value is a function: return its result',
  '({ items: [0, 1, 2, { when: new Date(0) }] })': 'value.items[3].when is a Date: return .toISOString()',
  "({ tag: Symbol('s') })": 'value.tag is a symbol: return .description',
  '[10n]': 'value[0] is a BigInt: return String(value)',
  undefined: 'value is undefined: end with an expression or a return; null is a value',
  '': 'value is undefined: end with an expression or a return; null is a value',
  'var a = {}; a.self = a; return a;': 'value.self refers back to an object that contains it (a cycle)',
  '({ list: [NaN] })': 'value.list[0] is NaN: return null or a text',
  '({ most: Infinity })': 'value.most is Infinity: return null or a text',
  '-Infinity': 'value is -Infinity: return null or a text',
  'new Date()': 'value is a Date: return .toISOString()',
  'new RegExp("x")': 'value is a RegExp: return .source',
  '({ m: new Map() })': 'value.m is a Map: return Object.fromEntries(map) or [...map]',
  '({ s: new Set() })': 'value.s is a Set: return [...set]',
  '[new WeakMap()]': 'value[0] is a WeakMap: return what is in it by other means',
  '({ "a b": new Error("e") })': 'value["a b"] is an Error: return .message or String(error)',
  '({ later: Promise.resolve(1) })': 'value.later is a Promise: await it first',
  '({ bytes: new Uint8Array(2) })': 'value.bytes is a Uint8Array: return [...array]',
  'new ArrayBuffer(1)': 'value is an ArrayBuffer: return [...new Uint8Array(buffer)]',
  '(function* () {})()': 'value is a generator: return [...generator]',
  'new String("x")': 'value is a String object: return String(value)',
  'class A {}; A': 'value is a function: return its result',
  '({ get broken() { throw new Error("no") } })': 'value could not be read: Error: no',
};

describe('a value that JSON cannot hold is refused, with its path and what to return instead', () => {
  for (const [code, details] of Object.entries(refused)) {
    test(code || '(nothing)', async () => {
      const { ok, error, calls_made, logs } = await run({ code });
      assert.deepEqual([ok, calls_made, logs], [false, 0, '']);
      assert.deepEqual(error, { code: 'SERIALIZATION_ERROR', message, stack: '', details });
    });
  }
});

test('undefined is left out of an object and null in an array', async () => {
  assert.deepEqual(await value('({ a: undefined, b: [undefined, 1], c: { d: undefined } })'), { b: [null, 1], c: {} });
});

test('what survives JSON may come from a class, a proxy or toJSON', async () => {
  assert.deepEqual(await value('new (class { x = 1; #y = 2 })()'), { x: 1 });
  assert.deepEqual(await value('new Proxy({ a: 1 }, {})'), { a: 1 });
  assert.deepEqual(await value('({ toJSON: () => ({ b: 2 }) })'), { b: 2 });
  assert.deepEqual(await value('Object.create(null, { z: { value: 1, enumerable: true } })'), { z: 1 });
});

test('text is Unicode, and half a character becomes U+FFFD', async () => {
  assert.deepEqual(await value("({ größe: '你好 🦜', half: '\\ud800' })"), { größe: '你好 🦜', half: '\ufffd' });
});

test('a value that is too large is refused and named', async () => {
  const { error } = await run({ code: "'x'.repeat(40e6)" });
  assert.equal(error?.code, 'SERIALIZATION_ERROR');
  assert.match(error?.details ?? '', /^value is longer than \d+ bytes as JSON$/);
});

describe('what ends a run', () => {
  test('code that does not parse, as JavaScript or as TypeScript, and where', async () => {
    assert.deepEqual((await run({ code: 'let x = 1;\nlet = = 2' })).error, {
      code: 'SYNTAX_ERROR',
      message: "SyntaxError: Unexpected token '='",
      stack: '',
      details: '<eval>:2:7',
    });
    const typed = await run({ code: 'const x: = 1', language: 'typescript' });
    assert.equal(typed.error?.code, 'SYNTAX_ERROR');
    assert.match(typed.error?.message ?? '', /^SyntaxError: /);
  });

  test('memory', async () => {
    const { error } = await run({ code: 'const all = []; for (;;) all.push(new Array(1e5).fill(Math.random()))' });
    assert.deepEqual([error?.code, error?.stack], ['OUT_OF_MEMORY', '']);
  });

  test('an error that was thrown, with its frames', async () => {
    const { error } = await run({ code: 'function inner() {\n  throw new RangeError("too far")\n}\ninner()' });
    assert.equal(error?.code, 'RUNTIME_ERROR');
    assert.equal(error?.message, 'RangeError: too far');
    assert.equal(error?.stack, 'RangeError: too far\n    at inner (<eval>:2:9)\n    at <eval>:4:1');
  });

  test('something that is no Error', async () => {
    const { error } = await run({ code: "throw 'text'" });
    assert.deepEqual([error?.code, error?.message], ['RUNTIME_ERROR', "Uncaught 'text'"]);
  });

  test('a rejection that was awaited', async () => {
    const { error } = await run({ code: "await Promise.reject(new TypeError('no'))" });
    assert.deepEqual([error?.code, error?.message], ['RUNTIME_ERROR', 'TypeError: no']);
  });

  for (const code of ['TIMEOUT', 'CANCELLED', 'MAX_TOOL_CALLS_EXCEEDED', 'SERVER_NOT_ALLOWED', 'OUT_OF_MEMORY']) {
    test(`an error of its own that says ${code} is a RUNTIME_ERROR`, async () => {
      const { error } = await run({ code: `throw Object.assign(new Error('mine'), { code: '${code}' })` });
      assert.deepEqual([error?.code, error?.message], ['RUNTIME_ERROR', 'Error: mine']);
    });
  }
});

describe('language', () => {
  test('TypeScript works without being named', async () => {
    assert.equal(await value('const n: number = 2; n * 2'), 4);
  });

  test('code that is both is what was named', async () => {
    const both = 'const f = (x) => x; const number = 1; [f<number>(2)]';
    assert.deepEqual(await value(both), [false]);
    assert.deepEqual(await value(both, { language: 'typescript' }), [2]);
  });

  test('enums, interfaces, generics and top-level return work', async () => {
    const code = `enum Color { Red = 'r', Green = 'g' }
      interface Named { name: string }
      function first<T extends Named>(items: T[]): string { return items[0]!.name }
      return [Color.Green, first([{ name: 'x' }]) satisfies string]`;
    assert.deepEqual(await value(code, { language: 'typescript' }), ['g', 'x']);
  });

  test('lines of errors are those that were submitted', async () => {
    const code = 'interface A {\n  x: number\n}\nconst a = null as unknown as A;\na.x';
    const { error } = await run({ code, language: 'typescript' });
    assert.match(error?.stack ?? '', /<eval>:5:\d+$/);
  });
});

describe('logs', () => {
  test('a failure has the end of the console, at most 2 kB of whole characters', async () => {
    const { logs = '' } = await run({ code: "for (let i = 0; i < 500; i++) console.log('Zeile ä', i); throw 1" });
    assert.ok(Buffer.byteLength(logs) <= 2048 && Buffer.byteLength(logs) > 2040);
    assert.ok(logs.endsWith('Zeile ä 498\nZeile ä 499\n'));
    assert.ok(!logs.includes('\ufffd'));
  });

  test('a success has it where it was asked for', async () => {
    const code = "console.log('one'); console.warn('two'); 1";
    assert.deepEqual(await run({ code }), { ok: true, value: 1 });
    assert.deepEqual(await run({ code, options: { include_logs: true } }), {
      ok: true,
      value: 1,
      logs: 'one\n[WARN] two\n',
    });
  });
});
