import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { HostFunction, HostFunctions } from '../../src/engine/host.ts';
import type { Outcome } from '../../src/engine/outcome.ts';
import { heapOf, testEngine, valueText } from './steps.ts';

const engine = testEngine();

const sync = (call: HostFunction['call']): HostFunction => ({ mode: 'sync', call });
const async = (call: HostFunction['call']): HostFunction => ({ mode: 'async', call });
const huge = 'äöü€😀 \0"\\'.repeat(2 ** 20);
const fails = (error: unknown) => () => {
  throw error;
};

const beats = { count: 0, enough: Promise.withResolvers<void>() };

const functions: HostFunctions = {
  beat: sync(() => ++beats.count === 5 && beats.enough.resolve()),
  afterBeats: async(() => beats.enough.promise),
  echo: sync((args) => args),
  later: async(async (args) => args),
  double: sync(([n]) => Number(n) * 2),
  nothing: sync(() => undefined),
  nothingLater: async(async () => undefined),
  huge: sync(() => huge),
  hugeLater: async(async () => huge),
  length: sync(([text]) => String(text).length),
  refused: sync(fails(Object.assign(new RangeError('over the limit'), { code: 'E_LIMIT' }))),
  refusedLater: async(async () => fails(Object.assign(new Error('not now'), { code: 'E_LATER', name: 'Denied' }))()),
  throwsText: sync(fails('just text')),
  throwsBare: sync(fails(Object.create(null))),
  cyclic: sync(() => {
    const value: unknown[] = [];
    value.push(value);
    return value;
  }),
  sleep: sync(([n]) => `slept ${n}`),
};

const run = (source: string, timeoutMs = 10_000): Promise<Outcome> =>
  engine.run({ source, functions, timeoutMs, keepHeap: false });

const caught = (call: string) =>
  `try { ${call}; 'no error' } catch (e) { [e.name, e.message, e.code ?? null, e instanceof Error] }`;

const values: Record<string, readonly [source: string, expected: unknown]> = {
  'a synchronous call gives its value': ['double(21)', 42],
  'an asynchronous call gives a promise of its value': [
    'const p = later(1, "a"); [p instanceof Promise, await p]',
    [true, [1, 'a']],
  ],
  'arguments and results are JSON': [
    'echo(1.5, null, [undefined], { a: { b: [true] }, gone: undefined }, "x")',
    [1.5, null, [null], { a: { b: [true] } }, 'x'],
  ],
  'unicode comes through unharmed': ['echo("é€😀\\0\\u2028\\ud800")[0] === "é€😀\\0\\u2028\\ud800"', true],
  'nothing arrives as null': ['[nothing(), await nothingLater(), echo()]', [null, null, []]],
  'an error keeps its name, message and code': [caught('refused()'), ['RangeError', 'over the limit', 'E_LIMIT', true]],
  'an error of an asynchronous call rejects': [caught('await refusedLater()'), ['Denied', 'not now', 'E_LATER', true]],
  'thrown text is an error': [caught('throwsText()'), ['Error', 'just text', null, true]],
  'a result that is no JSON is an error': ['try { cyclic() } catch (e) { e.name }', 'TypeError'],
  'a call inside Array.map': ['[1, 2, 3].map((n) => double(n))', [2, 4, 6]],
  'a call inside a comparator': ['[3, 1, 2].sort((a, b) => double(a) - double(b))', [1, 2, 3]],
  'a call inside a getter, inside the arguments of a call': [
    'echo({ get twice() { return double(double(2)) } })',
    [{ twice: 8 }],
  ],
  'a call inside toJSON, while the value is described': ['({ toJSON() { return { made: double(4) } } })', { made: 8 }],
  'a call inside a generator, a proxy and a replacer': [
    'const p = new Proxy({}, { get: (_, k) => double(Number(k)) }); [...(function* () { yield double(1); yield p[5] })(), JSON.parse("[1]", (_, v) => typeof v === "number" ? double(v) : v)]',
    [2, 10, [2]],
  ],
  'Promise.all over 100 asynchronous calls': [
    '(await Promise.all(Array.from({ length: 100 }, (_, i) => later(i)))).flat().reduce((a, b) => a + b)',
    4950,
  ],
  'timers mixed with calls': [
    'const log = []; setTimeout(() => log.push(double(1)), 200); const tick = new Promise((r) => setTimeout(r, 250)); log.push(await later("a")); await tick; log.push(await later("b")); log',
    [['a'], 2, ['b']],
  ],
  'setImmediate without end does not starve a reply': [
    'let done = false; const p = later(1).then(() => { done = true }); (function loop() { if (!done) setImmediate(loop) })(); await p; done',
    true,
  ],
  'setImmediate without end that makes calls of its own does not starve a reply': [
    'let done = false; const p = afterBeats().then(() => { done = true }); (function loop() { beat(); if (!done) setImmediate(loop) })(); await p; done',
    true,
  ],
  'a function may be named as the engine names its own': ['sleep(5)', 'slept 5'],
  'a function that throws what has no text is an error': ['try { throwsBare() } catch (e) { e.name }', 'Error'],
};

describe('host functions', () => {
  for (const [name, [source, expected]] of Object.entries(values)) {
    test(name, async () => assert.deepEqual(JSON.parse(valueText(await run(source))), expected));
  }

  test('strings of many megabytes go both ways', async () => {
    const source = `const s = huge(); const l = await hugeLater(); [s.length, s === l, length(s), s.slice(-11)]`;
    const outcome = await engine.run({ source, functions, keepHeap: false, maxCallBytes: 2 ** 26 });
    assert.deepEqual(JSON.parse(valueText(outcome)), [huge.length, true, huge.length, huge.slice(-11)]);
  });

  test('arguments over their limit are refused, and the run goes on', async () => {
    const source = `const out = []; for (const f of [echo, later]) { try { await f('x'.repeat(1000)) } catch (e) { out.push(e.name) } } [out, echo(1)]`;
    const outcome = await engine.run({ source, functions, keepHeap: false, maxCallBytes: 500 });
    assert.deepEqual(JSON.parse(valueText(outcome)), [['RangeError', 'RangeError'], [1]]);
  });

  test('an uncaught refusal fails the run in its own words', async () => {
    const outcome = await run('refused()');
    assert.ok(outcome.kind === 'failed');
    const { name, message, stack } = outcome.error;
    assert.deepEqual([name, message], ['RangeError', 'over the limit']);
    assert.match(stack, /^RangeError: over the limit\n {4}at <eval>:1:1/);
  });

  test('names that were not granted do not exist', async () => {
    const outcome = await engine.run({ source: '[typeof double, typeof echo, typeof sleep]', keepHeap: false });
    assert.equal(valueText(outcome), '["undefined","undefined","undefined"]');
  });

  test('a function that the heap kept is refused in clear words where it is not granted', async () => {
    const source = 'const kept = double, keptLater = later; const all = { kept }; kept(1)';
    const heap = heapOf(await engine.run({ source, functions }));
    const again = `const out = []; for (const f of [kept, keptLater, all.kept]) { try { out.push(await f(2)) } catch (e) { out.push(e.code + ': ' + e.message) } } [out, typeof double]`;
    const refused = ['double', 'later', 'double'].map((name) => `NOT_AVAILABLE: ${name} is not available in this run`);
    const without = await engine.run({ source: again, heap, keepHeap: false });
    assert.deepEqual(JSON.parse(valueText(without)), [refused, 'undefined']);
    const granted = await engine.run({ source: again, heap, functions, keepHeap: false });
    assert.deepEqual(JSON.parse(valueText(granted)), [[4, [2], 4], 'function']);
  });
});
