import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HostFunctions } from '../../../src/engine/host.ts';
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
