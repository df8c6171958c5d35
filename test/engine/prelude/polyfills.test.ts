import { test } from 'node:test';
import { runSteps, testEngine } from '../steps.ts';
import { assertValues } from './printed.ts';

const engine = testEngine();

test('builtins that V8 leaves out of such isolates', () =>
  assertValues(engine, {
    'Promise.try((a, b) => a + b, 1, 2)': 3,
    'Promise.try(() => { throw 5 }).catch((e) => e)': 5,
    'RegExp.escape("a.b*c")': '\\x61\\.b\\*c',
    '[Error.isError(new TypeError()), Error.isError({ __proto__: Error.prototype })]': [true, false],
    '[...Iterator.concat([1], new Set([2]), ["3"])]': [1, 2, '3'],
    '(() => { const m = new Map([[1, "a"]]); return [m.getOrInsert(1, "b"), m.getOrInsert(2, "c"), m.getOrInsertComputed(3, (k) => k * 2), m.size] })()':
      ['a', 'c', 6, 3],
    '(() => { const k = {}, w = new WeakMap(); return [w.getOrInsert(k, 1), w.getOrInsertComputed(k, () => 2)] })()': [
      1, 1,
    ],
    '[new Uint8Array([1, 2, 255]).toBase64(), new Uint8Array([1, 255]).toHex(), [...Uint8Array.fromBase64("AQI=")], [...Uint8Array.fromHex("ff00")]]':
      ['AQL/', '01ff', [1, 2], [255, 0]],
    '(() => { const b = new Uint8Array(4); return [b.setFromBase64("AQI=").written, b.setFromHex("0a").read, [...b]] })()':
      [2, 2, [10, 2, 0, 0]],
    '(() => { const seen = []; const s = new DisposableStack(); s.defer(() => seen.push(1)); s.use({ [Symbol.dispose]() { seen.push(2) } }); s.dispose(); return [seen, s.disposed] })()':
      [[2, 1], true],
    '(async () => { const seen = []; const s = new AsyncDisposableStack(); s.defer(async () => seen.push(1)); await s.disposeAsync(); return seen })()':
      [1],
    '(({ error, suppressed, message, name }) => [error, suppressed, message, name])(new SuppressedError(1, 2, "m"))': [
      1,
      2,
      'm',
      'SuppressedError',
    ],
    '(() => { let closed = false; const g = (function* () { try { yield 1 } finally { closed = true } })(); g.next(); g[Symbol.dispose](); return closed })()': true,
    '(async () => { let closed = false; const g = (async function* () { try { yield 1 } finally { closed = true } })(); await g.next(); return [await g[Symbol.asyncDispose](), closed] })()':
      [null, true],
    '[Atomics.pause(), typeof Symbol.dispose, typeof Symbol.asyncDispose, Symbol.dispose.description]': [
      null,
      'symbol',
      'symbol',
      'Symbol.dispose',
    ],
    'Function.prototype.toString.call(Map).includes("[native code]")': true,
    'Object.getOwnPropertyNames(globalThis).filter((name) => name.includes("core"))': [],
  }));

test('Temporal', async () => {
  await runSteps(engine, [
    [
      'const day = Temporal.PlainDate.from("2024-02-28").add({ days: 2 }); [String(day), day.dayOfWeek, new Date(0).toTemporalInstant().toString()]',
      ['2024-03-01', 5, '1970-01-01T00:00:00Z'],
    ],
    [
      '[String(day.add({ months: 1 })), day instanceof Temporal.PlainDate, Temporal.Now.timeZoneId()]',
      ['2024-04-01', true, 'UTC'],
    ],
    ['Temporal.ZonedDateTime.from("2024-07-01T00:00[Europe/Berlin]").offset', '+02:00'],
  ]);
});

test('FinalizationRegistry registers and never calls back', () =>
  assertValues(engine, {
    '(() => { const t = {}, r = new FinalizationRegistry(() => {}); r.register({}, 1, t); return [r.unregister(t), r.unregister(t), String(r)] })()':
      [true, false, '[object FinalizationRegistry]'],
    '(() => { try { new FinalizationRegistry() } catch (e) { return e.name } })()': 'TypeError',
  }));
