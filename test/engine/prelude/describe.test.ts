import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completed, testEngine } from '../steps.ts';

const engine = testEngine();

async function described(source: string, maxResultBytes?: number) {
  const limit = maxResultBytes === undefined ? {} : { maxResultBytes };
  return completed(await engine.run({ source, keepHeap: false, ...limit })).value;
}

const json: Record<string, unknown> = {
  '({ a: 1, b: [true, null, "x\\n\\u2028"], c: { d: -1.5e300 } })': {
    a: 1,
    b: [true, null, 'x\n\u2028'],
    c: { d: -1.5e300 },
  },
  '[1, undefined, 3]': [1, null, 3],
  '({ a: undefined, b: 1 })': { b: 1 },
  '-0': 0,
  '"\\ud800"': '\ud800',
  'Object.create(null, { x: { value: 1, enumerable: true } })': { x: 1 },
  'new (class Point { x = 1; get y() { return 2 } #z = 3 })': { x: 1 },
  '({ toJSON(key) { return { key } } })': { key: '' },
  '({ inner: { toJSON(key) { return key } } })': { inner: 'inner' },
  'new Proxy({ a: 1 }, {})': { a: 1 },
  '(function () { return arguments })(1, 2)': { 0: 1, 1: 2 },
  '(() => { const shared = { s: 1 }; return [shared, shared] })()': [{ s: 1 }, { s: 1 }],
};

test('plain data is JSON', async () => {
  for (const [source, expected] of Object.entries(json)) {
    const value = await described(source);
    assert.equal(value.kind, 'json', source);
    assert.deepEqual(JSON.parse(value.text), expected, source);
  }
  for (const source of ['undefined', 'void 0', 'var x = 1', '({ toJSON() {} })']) {
    assert.equal((await described(source)).kind, 'undefined', source);
  }
});

const culprits: Record<string, readonly [text: string, why: string]> = {
  '({ items: [1, 2, 3, { when: new Date(0) }] })': [
    '{ items: [ 1, 2, 3, { when: 1970-01-01T00:00:00.000Z } ] }',
    'value.items[3].when is a Date: return .toISOString()',
  ],
  'new Map([[1, 2]])': ['Map(1) { 1 => 2 }', 'value is a Map: return Object.fromEntries(map) or [...map]'],
  '[new Set([1])]': ['[ Set(1) { 1 } ]', 'value[0] is a Set: return [...set]'],
  '({ "odd key": { f() {} } })': [
    "{ 'odd key': { f: [Function: f] } }",
    'value["odd key"].f is a function: return its result',
  ],
  '[NaN]': ['[ NaN ]', 'value[0] is NaN: return null or a text'],
  '({ n: 5n })': ['{ n: 5n }', 'value.n is a BigInt: return String(value)'],
  'Symbol("s")': ['Symbol(s)', 'value is a symbol: return .description'],
  'new Uint8Array(2)': ['Uint8Array(2) [ 0, 0 ]', 'value is a Uint8Array: return [...array]'],
  '({ p: Promise.resolve(1) })': ['{ p: Promise { 1 } }', 'value.p is a Promise: await it first'],
  '(() => { const a = { b: {} }; a.b.a = a; return a })()': [
    '<ref *1> { b: { a: [Circular *1] } }',
    'value.b.a refers back to an object that contains it (a cycle)',
  ],
  '({ get x() { throw new Error("g") } })': ['{ x: [Getter] }', 'value could not be read: Error: g'],
  '({ a: { get x() { throw new Error("g") } } })': ['{ a: { x: [Getter] } }', 'value could not be read: Error: g'],
};

test('what JSON cannot hold is printed, and the culprit is named', async () => {
  for (const [source, [text, why]] of Object.entries(culprits)) {
    assert.deepEqual(await described(source), { kind: 'text', text, why }, source);
  }
});

test('depth and length have limits', async () => {
  const deep = await described('let deep = []; for (let i = 0; i < 3000; i++) deep = [deep]; deep');
  assert.equal(deep.why, 'value is nested more than 2000 levels deep');
  const long = await described('({ list: ["€".repeat(500)] })', 1000);
  assert.deepEqual([long.kind, long.why], ['text', 'value is longer than 1000 bytes as JSON']);
  assert.ok(Buffer.byteLength(long.text) <= 1000);
  assert.equal((await described('"x".repeat(998)', 1000)).kind, 'json');
});
