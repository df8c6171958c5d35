import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runSteps, testEngine } from '../steps.ts';
import { assertValues, printed } from './printed.ts';

const engine = testEngine();
const caught = (code: string) => `(() => { try { ${code}; return 'no error' } catch (e) { return e.name } })()`;

test('events reach their listeners', () =>
  assertValues(engine, {
    '(() => { const t = new EventTarget(), seen = []; const f = (e) => seen.push(e.type, e.target === t, e.detail); t.addEventListener("x", f); t.addEventListener("x", f); t.dispatchEvent(new CustomEvent("x", { detail: 7 })); t.removeEventListener("x", f); t.dispatchEvent(new Event("x")); return seen })()':
      ['x', true, 7],
    '(() => { const t = new EventTarget(), seen = []; t.addEventListener("x", () => seen.push(1), { once: true }); t.addEventListener("x", { handleEvent(e) { seen.push(this !== undefined); e.stopImmediatePropagation() } }); t.addEventListener("x", () => seen.push(3)); t.dispatchEvent(new Event("x")); t.dispatchEvent(new Event("x")); return seen })()':
      [1, true, true],
    '(() => { const t = new EventTarget(); t.addEventListener("x", (e) => e.preventDefault()); return [t.dispatchEvent(new Event("x")), t.dispatchEvent(new Event("x", { cancelable: true }))] })()':
      [true, false],
    '(() => { class Mine extends EventTarget { n = 1 } const m = new Mine(); m.addEventListener("x", function () { this.n++ }); m.dispatchEvent(new Event("x")); return m.n })()': 2,
    [caught('new Event()')]: 'TypeError',
    [caught(
      '(() => { const t = new EventTarget(), e = new Event("x"); let error; t.addEventListener("x", () => { try { t.dispatchEvent(e) } catch (x) { error = x } }); t.dispatchEvent(e); throw error })()',
    )]: 'InvalidStateError',
  }));

test('what a listener throws is printed, and the next one runs', async () => {
  const { text, value } = await printed(
    engine,
    'const t = new EventTarget(); let n = 0; t.addEventListener("x", () => { throw new Error("l") }); t.addEventListener("x", () => n++); t.dispatchEvent(new Event("x")); n',
  );
  assert.equal(value, '1');
  assert.match(text, /^\[ERROR\] Uncaught Error: l\n {4}at /);
});

test('abort controllers and signals', () =>
  assertValues(engine, {
    '(() => { const c = new AbortController(), seen = []; c.signal.onabort = (e) => seen.push(e.type, e.isTrusted); c.signal.addEventListener("abort", () => seen.push(2)); c.abort(); c.abort(); return [seen, c.signal.aborted, c.signal.reason.name, c.signal.reason.code] })()':
      [['abort', true, 2], true, 'AbortError', 20],
    '(() => { const c = new AbortController(); c.abort("why"); try { c.signal.throwIfAborted() } catch (e) { return e } })()':
      'why',
    '(() => { const a = new AbortController(), any = AbortSignal.any([a.signal, new AbortController().signal]); a.abort(5); return [any.aborted, any.reason, AbortSignal.any([AbortSignal.abort(6)]).reason] })()':
      [true, 5, 6],
    'new Promise((done) => { const s = AbortSignal.timeout(5); s.addEventListener("abort", () => done([s.aborted, s.reason.name])) })':
      [true, 'TimeoutError'],
    '(() => { const c = new AbortController(), t = new EventTarget(); let n = 0; t.addEventListener("x", () => n++, { signal: c.signal }); t.dispatchEvent(new Event("x")); c.abort(); t.dispatchEvent(new Event("x")); return n })()': 1,
    [caught('new AbortSignal()')]: 'TypeError',
  }));

test('a time-out that nobody listens to does not hold the run', async () => {
  const started = Date.now();
  await printed(engine, 'const signal = AbortSignal.timeout(60_000); signal.aborted');
  assert.ok(Date.now() - started < 10_000);
});

test('listeners and signals stay in the heap', async () => {
  await runSteps(engine, [
    [
      'const c = new AbortController(); const seen = []; c.signal.addEventListener("abort", (e) => seen.push(e.type)); const target = new EventTarget(); target.addEventListener("x", () => seen.push("x")); 1',
      1,
    ],
    [
      'c.abort(); target.dispatchEvent(new Event("x")); [seen, c.signal instanceof AbortSignal]',
      [['abort', 'x'], true],
    ],
  ]);
});

test('they print like Node\u2019s', async () => {
  const { text } = await printed(
    engine,
    'console.log(new AbortController(), new EventTarget(), AbortSignal.abort(1), [new URL("http://a/")].length, new URLSearchParams("a=1"))',
  );
  assert.equal(
    text,
    "AbortController { signal: AbortSignal { aborted: false } } EventTarget {} AbortSignal { aborted: true } 1 URLSearchParams { 'a' => '1' }\n",
  );
});
