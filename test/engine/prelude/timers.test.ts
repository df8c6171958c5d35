import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completed, runSteps, testEngine } from '../steps.ts';
import { assertValues, printed } from './printed.ts';

const engine = testEngine();

test('timers run by due time, then by order; microtasks and immediates before them', async () => {
  const source = `
    const seen = [];
    setTimeout(() => seen.push('20'), 300); setTimeout(() => seen.push('5a'), 5); setTimeout(() => { seen.push('5b'); queueMicrotask(() => seen.push('micro of 5b')) }, 5);
    setTimeout((a, b) => seen.push('args ' + a + b), 1, 1, 2); setImmediate((x) => seen.push('immediate ' + x), 3);
    queueMicrotask(() => seen.push('micro')); Promise.resolve().then(() => seen.push('then'));
    seen.push('sync'); await new Promise((done) => setTimeout(done, 600)); seen`;
  const { value } = await printed(engine, source);
  assert.deepEqual(JSON.parse(value), [
    'sync',
    'micro',
    'then',
    'immediate 3',
    'args 12',
    '5a',
    '5b',
    'micro of 5b',
    '20',
  ]);
});

test('intervals repeat until they are cleared, from within too', async () => {
  const source =
    'let n = 0; await new Promise((done) => { const id = setInterval(() => { if (++n === 3) { clearInterval(id); done() } }, 1) }); await new Promise((done) => setTimeout(done, 10)); n';
  assert.equal((await printed(engine, source)).value, '3');
});

test('a cleared timer does not run, and the run does not wait for it', async () => {
  const started = Date.now();
  const source =
    'const id = setTimeout(() => console.log("no"), 1e6); clearTimeout(id); clearTimeout(String(setTimeout(() => {}, 1e6))); clearTimeout(undefined); clearImmediate(setImmediate(() => console.log("no"))); 1';
  assert.deepEqual(await printed(engine, source), { text: '', value: '1' });
  assert.ok(Date.now() - started < 5000);
});

test('the run waits for timers, and what they throw is printed', async () => {
  const { text } = await printed(
    engine,
    'setTimeout(() => { throw new TypeError("late") }, 1); setTimeout(() => console.log("after"), 2); queueMicrotask(() => { throw 5 }); 1',
  );
  assert.equal(text, '[ERROR] Uncaught 5\n[ERROR] Uncaught TypeError: late\n    at <eval>:1:26\nafter\n');
});

test('timers of one run are gone in the next', async () => {
  await runSteps(engine, [
    [
      'const fired = []; const never = setInterval(() => fired.push(1), 1e6); clearInterval(never); setTimeout(() => fired.push(2), 1); await new Promise((r) => setTimeout(r, 5)); fired',
      [2],
    ],
    [
      'clearTimeout(never); setTimeout(() => fired.push(3), 1); await new Promise((r) => setTimeout(r, 5)); fired',
      [2, 3],
    ],
  ]);
});

test('timer functions refuse what is no function', async () => {
  const refused = (call: string) => `(() => { try { ${call} } catch (e) { return [e.name, e.message] } })()`;
  const error = ['TypeError', 'The "callback" argument must be of type function.'];
  await assertValues(engine, {
    [refused('setTimeout("code")')]: error,
    [refused('setInterval()')]: error,
    [refused('setImmediate({})')]: error,
    [refused('queueMicrotask(1)')]: error,
    'typeof setTimeout(() => {}, NaN)': 'number',
    '[setTimeout.length > 0, setTimeout.name, "prototype" in setTimeout]': [true, 'setTimeout', false],
  });
});

test('ten thousand timers', async () => {
  const outcome = await engine.run({
    source:
      'let n = 0; for (let i = 0; i < 10000; i++) setTimeout(() => n++, i % 7); await new Promise((r) => setTimeout(r, 50)); n',
    keepHeap: false,
  });
  assert.equal(completed(outcome).value.text, '10000');
});
