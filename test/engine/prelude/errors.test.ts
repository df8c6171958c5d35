import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heapOf, testEngine } from '../steps.ts';
import { printed } from './printed.ts';

const engine = testEngine();

async function failure(source: string, heap: Buffer | null = null) {
  const outcome = await engine.run({ source, heap, keepHeap: false });
  if (outcome.kind !== 'failed') assert.fail(`expected a failed run, got ${JSON.stringify(outcome)}`);
  const { name, message, stack } = outcome.error;
  return { name, message, stack };
}

const thrown: Record<string, readonly [name: string, message: string, stack: string]> = {
  'function f() { throw new TypeError("bad") }\n  f();': [
    'TypeError',
    'bad',
    'TypeError: bad\n    at f (<eval>:1:22)\n    at <eval>:2:3',
  ],
  'null.x': [
    'TypeError',
    "Cannot read properties of null (reading 'x')",
    "TypeError: Cannot read properties of null (reading 'x')\n    at <eval>:1:6",
  ],
  'class MyError extends Error { name = "MyError" } throw new MyError("m")': [
    'MyError',
    'm',
    'MyError: m\n    at <eval>:1:56',
  ],
  'throw "text"': ['Uncaught', "'text'", "Uncaught 'text'"],
  'throw { code: 5 }': ['Uncaught', '{ code: 5 }', 'Uncaught { code: 5 }'],
  'throw undefined': ['Uncaught', 'undefined', 'Uncaught undefined'],
  'throw Object.assign(new Error("a"), { message: "b", name: "N" })': ['N', 'b', 'N: b\n    at <eval>:1:21'],
};

test('errors come with name, message and the frames that were submitted', async () => {
  for (const [source, [name, message, stack]] of Object.entries(thrown)) {
    assert.deepEqual(await failure(source), { name, message, stack }, source);
  }
});

for (const [title, end] of [
  ['LF', '\n'],
  ['CR', '\r'],
  ['CRLF', '\r\n'],
  ['U+2028', '\u2028'],
  ['U+2029', '\u2029'],
] as const) {
  test(`positions behind lines that end with ${title}`, async () => {
    const { stack } = await failure(`await 1;${end}let a = 1;${end}  function g() { throw new Error("e") }${end} g()`);
    assert.equal(stack, 'Error: e\n    at g (<eval>:3:24)\n    at <eval>:4:2');
  });
  test(`positions behind a guarded assignment on lines that end with ${title}`, async () => {
    const heap = heapOf(await engine.run({ source: 'const fixed = 1; 1' }));
    const { stack, message } = await failure(
      `try { fixed = 2 } catch {}${end}let a = 1;${end} try { fixed++ } catch {} null.x`,
      heap,
    );
    assert.match(message, /null/);
    assert.match(stack, /<eval>:3:32$/);
  });
}

test('a constant of an earlier run reads as its value and cannot be assigned', async () => {
  const heap = heapOf(await engine.run({ source: 'const list = [1]; const n = 2; 1' }));
  assert.equal(
    (
      await printed(
        engine,
        'let message; try { n += 1 } catch (e) { message = e.message } list.push(n); [list, message]',
        { heap },
      )
    ).value,
    '[[1,2],"Assignment to constant variable."]',
  );
  assert.equal((await failure('n++', heap)).message, 'Assignment to constant variable.');
});

test('what nobody catches is printed', async () => {
  const { text } = await printed(
    engine,
    'Promise.reject(new RangeError("r")); Promise.reject({ a: 1 }); setTimeout(() => { throw "t" }, 1); 1',
  );
  assert.match(text, /\[ERROR\] Uncaught \(in promise\) RangeError: r\n {4}at <eval>:1:16\n/);
  assert.match(text, /\[ERROR\] Uncaught \(in promise\) \{ a: 1 \}\n/);
  assert.match(text, /\[ERROR\] Uncaught 't'\n/);
});

test('Error.prepareStackTrace and Error.captureStackTrace are honoured', async () => {
  const source = `const o = {}; Error.captureStackTrace(o); const { stack } = o; Error.prepareStackTrace = (e, sites) => sites.map((s) => s.getFunctionName());
    function outer() { return new Error('x').stack } [stack.split('\\n').length, outer()]`;
  assert.equal((await printed(engine, source)).value, '[2,["outer",null]]');
});
