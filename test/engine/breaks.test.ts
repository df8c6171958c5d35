import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { completed, heapOf, runSteps, type Step, testEngine, valueText } from './steps.ts';

// The programs that break a V8 snapshot unless something is done about it, each across processes.
const engine = testEngine({ isolation: 'process', spares: 3 });

test('using and await using are refused, or work', async () => {
  for (const source of ['{ using x = null; } 1', '{ await using x = null; } 1']) {
    const outcome = await engine.run({ source });
    assert.ok(outcome.kind === 'completed' || outcome.kind === 'failed', outcome.kind);
    if (outcome.kind === 'failed') assert.match(outcome.error.stack, /SyntaxError/);
    else
      await runSteps(engine, [
        [source, 1],
        ['1', 1],
      ]);
  }
});

const survives: Record<string, readonly Step[]> = {
  "'use asm', even as garbage": [
    [
      'function m(stdlib) { "use asm"; garbage; return {} } function asm(stdlib) { "use asm"; function f(x) { x = x | 0; return (x + 1) | 0 } return { f } } const mod = asm(globalThis); mod.f(1)',
      2,
    ],
    ['mod.f(2)', 3],
    ['asm(globalThis).f(3)', 4],
  ],
  'a recursive global function that was optimised': [
    ['function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) } fib(27)', 196418],
    ['fib(27)', 196418],
    ['fib(20)', 6765],
  ],
  'optimised code that depends on itself and on others': [
    [
      'class V { constructor(x) { this.x = x } add(o) { return new V(this.x + o.x) } } const work = () => { let v = new V(0); for (let i = 0; i < 2e5; i++) v = v.add(new V(1)); return v.x }; work()',
      200000,
    ],
    ['V.prototype.add = function (o) { return new V(this.x + 2 * o.x) }; work()', 400000],
    ['work()', 400000],
  ],
  'any error has a stack': [
    ['new Error("e").stack.split("\\n").length', 2],
    [
      '(() => { try { null.x } catch (e) { return e.stack } })()',
      "TypeError: Cannot read properties of null (reading 'x')\n    at <eval>:1:21\n    at <eval>:1:56",
    ],
  ],
  'an error thrown behind a suspended async function': [
    [
      'let go; const gate = new Promise((r) => { go = r }); const f = async () => { await gate; throw new Error("late") }; const p = f(); p.catch(() => {}); 1',
      1,
    ],
    ['go(); let message; try { await p } catch (e) { message = e.message } message', 'late'],
  ],
  'a reachable FinalizationRegistry with a dead target': [
    [
      'const r = new FinalizationRegistry(() => {}); (() => r.register({ big: new Array(1000) }, "x"))(); for (let i = 0; i < 1e5; i++) ({}); 1',
      1,
    ],
    ['r.register({}, 1); 2', 2],
  ],
  'kept Intl objects, Intl.Locale too': [
    [
      'const n = new Intl.NumberFormat("en"); const l = new Intl.Locale("de-AT"); const s = new Intl.Segmenter("en").segment("ab")[Symbol.iterator](); s.next(); [n.format(1e6), l.language]',
      ['1,000,000', 'de'],
    ],
    ['[n.format(2e6), l.region, (1e6).toLocaleString("de")]', ['2,000,000', 'AT', '1.000.000']],
  ],
  'a compile job in flight': [
    [
      'function hot(n) { let s = 0; for (let i = 0; i < n; i++) s += i & 3; return s } for (let i = 0; i < 400; i++) hot(500); hot(10)',
      13,
    ],
    ['for (let i = 0; i < 400; i++) hot(500); hot(10)', 13],
  ],
  'a hot loop in a microtask that the conversion of the value queued': [
    [
      'function spin() { let s = 0; for (let i = 0; i < 3e6; i++) s += i % 5; return s } ({ toJSON() { Promise.resolve().then(() => { globalThis.spun = spin() }); return "v" } })',
      'v',
    ],
    ['spun > 0 && spin() === spun', true],
  ],
  'builtins that serialising isolates lack': [
    [
      '[typeof Temporal, typeof Promise.try, RegExp.escape("a.b"), Error.isError(new TypeError()), Iterator.concat([1], [2]).toArray(), new Map().getOrInsert(1, 2), new Uint8Array([1, 255]).toHex(), Uint8Array.fromBase64("AQI=").length, typeof DisposableStack, typeof SuppressedError, typeof Atomics.pause]',
      ['object', 'function', '\\x61\\.b', true, [1, 2], 2, '01ff', 2, 'function', 'function', 'function'],
    ],
    [
      '[Temporal.PlainDate.from("2024-02-29").add({ years: 1 }).toString(), await Promise.try(() => 7)]',
      ['2025-02-28', 7],
    ],
    ['const kept = Temporal.Duration.from("PT90M"); kept.total("hours")', 1.5],
    ['kept.toString()', 'PT90M'],
  ],
};

describe('across processes', () => {
  for (const [name, steps] of Object.entries(survives)) test(name, async () => void (await runSteps(engine, steps)));
});

test('a heap near its cap is saved, or the run says why it is not, and nothing crashes', async () => {
  for (const share of [0.6, 0.8, 0.9, 0.95]) {
    const source = `const rows = []; while (rows.length < ${Math.floor((share * 16e6) / 64)}) rows.push({ i: rows.length }); rows.length`;
    const outcome = await engine.run({ source, heapMb: 16, timeoutMs: 20_000 });
    assert.ok(outcome.kind === 'completed' || outcome.kind === 'out_of_memory', outcome.kind);
    if (outcome.kind !== 'completed') continue;
    const { heap, heapError } = completed(outcome);
    assert.ok(heap || heapError);
    if (heap)
      assert.equal(valueText(await engine.run({ source: 'rows.length', heap, heapMb: 64 })), outcome.value.text);
  }
});

test('large array buffers: resizable ones with a huge maximum, and ones of many megabytes', async () => {
  const huge = await engine.run({ source: 'new ArrayBuffer(10, { maxByteLength: 2 ** 33 }); 1' });
  assert.ok(['completed', 'failed', 'out_of_memory'].includes(huge.kind), huge.kind);
  const heap = heapOf(
    await engine.run({
      source: 'const b = new Uint8Array(60 * 2 ** 20); b[b.length - 1] = 5; b.length',
      heapMb: 256,
      timeoutMs: 20_000,
    }),
  );
  assert.equal(valueText(await engine.run({ source: 'b.at(-1)', heap, heapMb: 256, timeoutMs: 20_000 })), '5');
});

test('a snapshot that cannot be made leaves a completed run without a heap, and a reason', async () => {
  // So many closures take longer to serialise than the snapshot is given here.
  const source = 'const all = []; for (let i = 0; i < 3e5; i++) all.push({ i, f: () => i }); all.length';
  const outcome = completed(await engine.run({ source, heapMb: 256, timeoutMs: 20_000, snapshotTimeoutMs: 20 }));
  assert.equal(outcome.value.text, '300000');
  assert.equal(outcome.heap, null);
  assert.match(outcome.heapError ?? '', /The heap could not be saved: it took longer than/);
});
