import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { heapOf, runSteps, type Step, testEngine, valueText } from './steps.ts';

// Every step is restored in a process that has seen none of the earlier ones.
const engine = testEngine({ isolation: 'process', spares: 3 });

const kept: Record<string, readonly Step[]> = {
  'closures over let': [
    ['let hidden = 10; const next = () => ++hidden; next()', 11],
    ['next()', 12],
    ['{ let inner = 5; var both = [() => inner++, () => inner] } both[0](); both[1]()', 6],
    ['both[0](); [both[1](), hidden]', [7, 12]],
  ],
  'classes with private and static fields': [
    [
      'class Point { #x = 5; static count = 0; static #made = 0; constructor() { Point.count++; Point.#made++ } get x() { return this.#x } set x(v) { this.#x = v } #secret() { return this.#x * 2 } twice() { return this.#secret() } static made() { return Point.#made } static has(o) { return #x in o } } const p = new Point(); p.x',
      5,
    ],
    [
      'p.x = 7; new Point(); [p.x, p.twice(), Point.count, Point.made(), Point.has(p), Point.has({})]',
      [7, 14, 2, 2, true, false],
    ],
  ],
  inheritance: [
    [
      'class A { who() { return "a" } get tag() { return "A" + this.who() } } class B extends A { who() { return "b" + super.who() } } const b = new B(); b.tag',
      'Aba',
    ],
    [
      'class C extends B { who() { return "c" + super.who() } } [new C().tag, b instanceof A, new C() instanceof B, b.constructor === B]',
      ['Acba', true, true, true],
    ],
    [
      'class E2 extends Error { get name() { return "E2" } } class L extends Array { sum() { return this.reduce((x, y) => x + y, 0) } } const l = L.from([1, 2]); l.sum()',
      3,
    ],
    [
      'l.push(4); [l.sum(), l.map((x) => x * 2) instanceof L, new E2("m").toString(), Array.isArray(l)]',
      [7, true, 'E2: m', true],
    ],
  ],
  'symbols as keys': [
    [
      'const s = Symbol("s"); const o = { [s]: 1, [Symbol.for("shared")]: 2, [Symbol.iterator]: function* () { yield* [1, 2] } }; o[s]',
      1,
    ],
    [
      '[o[s], o[Symbol.for("shared")], s.description, [...o], Object.getOwnPropertySymbols(o).length]',
      [1, 2, 's', [1, 2], 3],
    ],
  ],
  'Map, Set, WeakMap and WeakRef with object keys': [
    [
      'const key = { k: 1 }; const m = new Map([[key, "v"], [NaN, "n"]]); const set = new Set([key]); const w = new WeakMap([[key, "w"]]); const ws = new WeakSet([key]); const ref = new WeakRef(key); m.get(key)',
      'v',
    ],
    [
      '[m.get(key), m.get(NaN), set.has(key), w.get(key), ws.has(key), ref.deref() === key, m.size]',
      ['v', 'n', true, 'w', true, true, 2],
    ],
    ['for (let i = 0; i < 1000; i++) m.set({ i }, i); m.size', 1002],
    ['[...m.values()].at(-1)', 999],
  ],
  'generators half-way': [
    [
      'const g = (function* () { try { const got = yield 1; yield got * 2; yield 3 } finally { globalThis.closed = true } })(); g.next().value',
      1,
    ],
    ['g.next(21).value', 42],
    ['[g.return(9).value, closed, g.next().done]', [9, true, true]],
    ['const outer = (function* () { yield* (function* () { yield 1; yield 2 })(); yield 3 })(); outer.next().value', 1],
    ['[...outer]', [2, 3]],
  ],
  'async generators half-way': [
    [
      'const ag = (async function* () { for (let i = 0; ; i++) { const got = yield i; if (got) i += got } })(); (await ag.next()).value',
      0,
    ],
    ['(await ag.next(10)).value', 11],
    ['const rest = []; for await (const x of ag) { rest.push(x); if (rest.length === 3) break } rest', [12, 13, 14]],
    ['(await ag.next()).done', true],
  ],
  'iterators and iterator helpers half-way': [
    [
      'const it = [1, 2, 3, 4, 5, 6].values(); const evens = it.filter((x) => x % 2 === 0).map((x) => x * 10); evens.next().value',
      20,
    ],
    [
      'const entries = new Map([["a", 1], ["b", 2]]).entries(); entries.next(); const matches = "a1b2c3".matchAll(/[a-z](\\d)/g); matches.next(); evens.next().value',
      40,
    ],
    ['[evens.toArray(), entries.next().value, [...matches].map((x) => x[1])]', [[60], ['b', 2], ['2', '3']]],
  ],
  'pending promises resolved in a later run': [
    [
      'let done; const wait = new Promise((r) => { done = r }); const seen = []; wait.then((v) => seen.push(v)); (async () => { seen.push("async " + await wait) })(); seen.length',
      0,
    ],
    ['done(42); await wait', 42],
    ['seen', [42, 'async 42']],
    ['const both = Promise.all([wait, new Promise((r) => { globalThis.later = r })]); 1', 1],
    ['later("x"); await both', [42, 'x']],
  ],
  'typed arrays and array buffers': [
    [
      'const f = new Float64Array([1.5, 2.5]); const bytes = new Uint8Array(5 * 2 ** 20).fill(7); const view = new DataView(bytes.buffer, 4, 8); view.setUint32(0, 0xdeadbeef); const part = bytes.subarray(4, 8); bytes.length',
      5 * 2 ** 20,
    ],
    [
      '[f[1], bytes[0], bytes[4], view.getUint32(0), part.buffer === bytes.buffer, bytes.at(-1), bytes.buffer.byteLength]',
      [2.5, 7, 222, 0xdeadbeef, true, 7, 5 * 2 ** 20],
    ],
    ['part[0] = 1; [bytes[4], view.getUint8(0), new BigInt64Array([5n])[0] === 5n]', [1, 1, true]],
  ],
  'resizable array buffers': [
    [
      'const rab = new ArrayBuffer(8, { maxByteLength: 64 }); const tracking = new Uint8Array(rab); tracking[7] = 9; rab.resize(16); tracking.length',
      16,
    ],
    [
      'rab.resize(32); tracking[31] = 3; [tracking.length, tracking[7], tracking[31], rab.resizable, rab.maxByteLength]',
      [32, 9, 3, true, 64],
    ],
    ['const moved = rab.transfer(4); [rab.detached, moved.byteLength, tracking.length]', [true, 4, 0]],
  ],
  'BigInt, Date and RegExp with lastIndex': [
    [
      'const big = 2n ** 200n; const date = new Date(Date.UTC(2024, 1, 29)); const re = /a/g; re.exec("aaa"); const sticky = /b/y; sticky.lastIndex = 2; re.lastIndex',
      1,
    ],
    [
      '[String(big + 1n), date.toISOString(), re.exec("aaa").index, re.lastIndex, sticky.test("aab"), re.flags, /(?<n>\\d)/v.exec("x7").groups.n]',
      [String(2n ** 200n + 1n), '2024-02-29T00:00:00.000Z', 1, 2, true, 'g', '7'],
    ],
  ],
  'Proxy and bound functions': [
    [
      'const log = []; const px = new Proxy({ a: 1 }, { get(t, k, r) { log.push(String(k)); return Reflect.get(t, k, r) }, has: () => true }); const bound = function (x, y) { return [this.v, x, y] }.bind({ v: 1 }, 2); const { proxy, revoke } = Proxy.revocable({}, {}); px.a',
      1,
    ],
    [
      'revoke(); let revoked; try { proxy.x } catch (e) { revoked = e instanceof TypeError } [px.a, "zzz" in px, log, bound(3), bound.name, revoked]',
      [1, true, ['a', 'a'], [1, 2, 3], 'bound ', true],
    ],
  ],
  "tagged templates' identity": [
    [
      'const tag = (strings) => strings; const site = () => tag`a${1}b`; const first = site(); Object.isFrozen(first)',
      true,
    ],
    ['[site() === first, first.raw[0], site() === tag`a${1}b`]', [true, 'a', false]],
  ],
  'eval and Function products': [
    [
      'const made = new Function("a", "b", "return a * b"); const evaled = eval("(x) => x + 1"); const gen = Object.getPrototypeOf(function* () {}).constructor("yield 5"); var fromEval = (0, eval)("var viaEval = 8; viaEval"); made(3, 4)',
      12,
    ],
    ['[made(5, 6), evaled(1), gen().next().value, viaEval, eval("made(2, 2)")]', [30, 2, 5, 8, 4]],
  ],
  'getters and setters': [
    [
      'const acc = { _v: 1, get v() { return this._v * 2 }, set v(x) { this._v = x } }; Object.defineProperty(acc, "lazy", { configurable: true, get() { Object.defineProperty(this, "lazy", { value: "made" }); return "first" } }); acc.v',
      2,
    ],
    [
      'acc.v = 10; [acc.v, acc.lazy, acc.lazy, Object.getOwnPropertyDescriptor(acc, "v").set.name]',
      [20, 'first', 'made', 'set v'],
    ],
  ],
  'frozen, sealed and non-extensible objects': [
    [
      'const frozen = Object.freeze({ a: Object.freeze([1]) }); const sealed = Object.seal({ b: 1 }); const closed2 = Object.preventExtensions({ c: 1 }); Object.isFrozen(frozen)',
      true,
    ],
    [
      '"use strict"; const thrown = []; for (const f of [() => { frozen.a = 2 }, () => { delete sealed.b }, () => { closed2.d = 1 }, () => frozen.a.push(2)]) { try { f() } catch (e) { thrown.push(e.name) } } sealed.b = 2; [thrown, sealed.b, Object.isSealed(sealed)]',
      [['TypeError', 'TypeError', 'TypeError', 'TypeError'], 2, true],
    ],
  ],
  'a list 200,000 deep': [
    ['let list = null; for (let i = 0; i < 200000; i++) list = { i, next: list }; list.i', 199999],
    ['let length = 0; for (let node = list; node; node = node.next) length++; length', 200000],
    [
      'list = { i: -1, next: list }; let n = 0; for (let node = list; node; node = node.next) n += node.i; n',
      199999 * 100000 - 1,
    ],
  ],
  "timers' ids": [
    ['const t1 = setTimeout(() => {}, 0); const t2 = setInterval(() => clearInterval(t2), 1); t2 > t1', true],
    ['const t3 = setTimeout(() => {}, 0); clearTimeout(t1); t3 > t2', true],
    [
      'let fired = false; setTimeout(() => { fired = true }, 5); const gone = setTimeout(() => { fired = "no" }, 1); clearTimeout(gone); await new Promise((r) => setTimeout(r, 20)); fired',
      true,
    ],
  ],
  'Intl formatters': [
    [
      'const money = new Intl.NumberFormat("de-DE", { style: "currency", currency: "EUR" }); const day = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", dateStyle: "long" }); const collator = new Intl.Collator("sv"); const plural = new Intl.PluralRules("en", { type: "ordinal" }); const locale = new Intl.Locale("zh-Hant-TW"); const rel = new Intl.RelativeTimeFormat("en"); const seg = new Intl.Segmenter("en", { granularity: "word" }); const names = new Intl.DisplayNames("en", { type: "region" }); const conj = new Intl.ListFormat("en"); const fmt = money.format; money.format(1234.5)',
      '1.234,50\u00a0€',
    ],
    [
      '[money.format(1), fmt(2), day.format(new Date(0)), ["z", "ä", "a"].sort(collator.compare), plural.select(2), locale.maximize().toString(), rel.format(-1, "day"), [...seg.segment("a b")].length, names.of("FR"), conj.format(["a", "b"]), (1234.5).toLocaleString("en-US")]',
      [
        '1,00\u00a0€',
        '2,00\u00a0€',
        '1 January 1970',
        ['a', 'z', 'ä'],
        'two',
        'zh-Hant-TW',
        '1 day ago',
        3,
        'France',
        'a and b',
        '1,234.5',
      ],
    ],
    [
      '[money.resolvedOptions().currency, day instanceof Intl.DateTimeFormat, Object.prototype.toString.call(money), money.formatToParts(5)[0].value]',
      ['EUR', true, '[object Intl.NumberFormat]', '5'],
    ],
  ],
  'errors with their stack': [
    [
      'function thrower() { throw new RangeError("old") } let oops; try { thrower() } catch (e) { oops = e } const cause = new Error("outer", { cause: oops }); oops.stack',
      'RangeError: old\n    at thrower (<eval>:1:28)\n    at <eval>:1:68',
    ],
    [
      '[oops.stack.split("\\n").length, oops instanceof RangeError, cause.cause === oops, new AggregateError([oops]).errors[0] === oops]',
      [3, true, true, true],
    ],
  ],
  'a FinalizationRegistry with a dead target': [
    [
      'const registry = new FinalizationRegistry(() => {}); (() => { registry.register({}, 1); registry.register({ a: 1 }, 2, registry) })(); registry instanceof FinalizationRegistry',
      true,
    ],
    ['registry.unregister(registry); for (let i = 0; i < 1e5; i++) ({ i }); 1', 1],
    ['registry.register({}, 3); 2', 2],
  ],
  'declarations of every kind, declared again in every kind': [
    [
      'let a = 1; const b = 2; class C { v() { return 1 } } function f() { return 1 } var v = 1; [a, b, new C().v(), f(), v]',
      [1, 2, 1, 1, 1],
    ],
    [
      'const a = 2; class b {} function C() { return 2 } let f = () => 2; const v = 2; [a, typeof b, C(), f(), v]',
      [2, 'function', 2, 2, 2],
    ],
    [
      'function a() { return 3 } let b = 3; const C = 3; class f {} let v; [a(), b, C, typeof f, v === undefined]',
      [3, 3, 3, 'function', true],
    ],
    ['const { a, b: [C, ...f] } = { a: 4, b: [5, 6, 7] }; [a, C, f]', [4, 5, [6, 7]]],
  ],
};

describe('the heap keeps', () => {
  for (const [name, steps] of Object.entries(kept)) test(name, async () => void (await runSteps(engine, steps)));
});

test('a chain of 50 snapshots counts to 50', async () => {
  let heap = heapOf(await engine.run({ source: 'let n = 0; const up = () => ++n; const trail = [n]' }));
  for (let i = 1; i <= 50; i++) {
    const outcome = await engine.run({ source: 'trail.push(up()); n', heap });
    assert.equal(valueText(outcome), `${i}`);
    heap = heapOf(outcome);
  }
  assert.equal(valueText(await engine.run({ source: 'trail.length', heap })), '51');
});

test('branches of one heap do not see each other, and draw different numbers and ids', async () => {
  const heap = heapOf(await engine.run({ source: 'let shared = [1]; Math.random()' }));
  const branch = (name: string) =>
    engine.run({ source: `shared.push('${name}'); [shared, Math.random(), crypto.randomUUID()]`, heap });
  const results = await Promise.all(['a', 'b', 'c'].map(branch));
  const values = results.map((outcome) => JSON.parse(valueText(outcome)) as [unknown[], number, string]);
  assert.deepEqual(
    values.map(([shared]) => shared),
    [
      [1, 'a'],
      [1, 'b'],
      [1, 'c'],
    ],
  );
  assert.equal(new Set(values.map(([, random]) => random)).size, 3);
  assert.equal(new Set(values.map(([, , id]) => id)).size, 3);
});
