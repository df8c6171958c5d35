import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type HostFunctions, JsonText } from '../../../src/engine/host.ts';
import { heapOf, testEngine, valueText as textOfValue } from '../steps.ts';
import { printed } from './printed.ts';

const engine = testEngine();

const functions: HostFunctions = {
  add: { mode: 'sync', call: ([a, b]) => Number(a) + Number(b) },
  fetchLater: { mode: 'async', call: async ([x]) => ({ x }) },
  refuse: {
    mode: 'sync',
    call() {
      throw Object.assign(new TypeError('no'), { code: 'E_NO' });
    },
  },
  refuseLater: {
    mode: 'async',
    async call() {
      throw new RangeError('later');
    },
  },
};

test('host functions look like functions, and their errors like errors', async () => {
  const source = `const seen = [add(1, 2), await fetchLater([3]), add.name, fetchLater(1) instanceof Promise];
    try { refuse() } catch (e) { seen.push([e instanceof TypeError, e.message, e.code, /at <eval>:2/.test(e.stack)]) }
    try { await refuseLater() } catch (e) { seen.push([e instanceof RangeError, e.message]) }
    seen`;
  const { value } = await printed(engine, source, { functions });
  assert.deepEqual(JSON.parse(value), [3, { x: [3] }, 'add', true, [true, 'no', 'E_NO', true], [true, 'later']]);
});

test('host functions of one run are gone in the next, unless user code has replaced them', async () => {
  const first = await engine.run({ source: 'refuse = () => "mine"; 1', functions });
  const { value } = await printed(engine, '[typeof add, typeof refuse]', { heap: heapOf(first) });
  assert.equal(value, '["undefined","function"]');
});

test('input is a global, of this run', async () => {
  const first = await engine.run({ source: 'var copy = input; input', input: { a: [1, null] } });
  assert.equal(textOfValue(first), '{"a":[1,null]}');
  assert.equal((await printed(engine, '[copy, input]', { heap: heapOf(first), input: 5 })).value, '[{"a":[1,null]},5]');
});

test('omitted globals are not there', async () => {
  const { value } = await printed(engine, '[typeof console, typeof fetch, typeof Map]', {
    omitGlobals: ['console', 'Map', 'nope'],
  });
  assert.equal(value, '["undefined","undefined","undefined"]');
});

test('the globals are those of a runtime, and none of them is enumerable', async () => {
  const source =
    'const names = Object.getOwnPropertyNames(globalThis); [Object.keys(globalThis), names.filter((name) => /native|prelude|lent|hook|part/i.test(name)), typeof process, typeof require]';
  const [keys, inner, ...node]: unknown[] = JSON.parse((await printed(engine, source)).value);
  assert.deepEqual([keys, inner, node], [['names'], [], ['undefined', 'undefined']]);
});

test('what an uncaught error has as its code is told, as far as it is a text', async () => {
  const codeOf = async (source: string) => {
    const outcome = await engine.run({ source, functions, keepHeap: false });
    return outcome.kind === 'failed' ? outcome.error.code : outcome.kind;
  };
  assert.equal(await codeOf('refuse()'), 'E_NO');
  assert.equal(await codeOf('throw Object.assign(new Error("x"), { code: "MINE" })'), 'MINE');
  assert.equal(await codeOf('throw new Error("x")'), '');
  assert.equal(await codeOf('throw "text"'), '');
  assert.equal(await codeOf('throw { get code() { throw 1 } }'), '');
});

test('a result that is JSON already is passed on as it is', async () => {
  const text = new JsonText('{"a": [1, "\\u00e4"]}');
  const { value } = await printed(engine, 'given()', { functions: { given: { mode: 'sync', call: () => text } } });
  assert.equal(value, '{"a":[1,"ä"]}');
});

test('a variable of user code with the name of a host function stays in later runs', async () => {
  const first = await engine.run({ source: 'var add = "mine"; 1' });
  const { value } = await printed(engine, 'add', { heap: heapOf(first), functions });
  assert.equal(value, '"mine"');
});
