import assert from 'node:assert/strict';
import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { heapOf, testEngine } from '../steps.ts';
import { printed } from './printed.ts';

const engine = testEngine();

const methods: Record<string, readonly [source: string, text: string]> = {
  log: ['console.log("a", 1)', 'a 1\n'],
  debug: ['console.debug("a", 1)', 'a 1\n'],
  dirxml: ['console.dirxml("a", 1)', 'a 1\n'],
  info: ['console.info("a %s", 1)', '[INFO] a 1\n'],
  warn: ['console.warn("a")', '[WARN] a\n'],
  error: ['console.error({ a: 1 })', '[ERROR] { a: 1 }\n'],
  dir: ['console.dir({ a: { b: { c: {} } } }, { depth: 0 }); console.dir("text")', "{ a: [Object] }\n'text'\n"],
  'dir with colours': ['console.dir({ a: 1 }, { colors: true })', '{ a: \u001b[33m1\u001b[39m }\n'],
  assert: [
    'console.assert(true, "no"); console.assert(false, "yes %s", 1); console.assert(0); console.assert(false, { a: 1 })',
    '[WARN] Assertion failed: yes 1\n[WARN] Assertion failed\n[WARN] Assertion failed { a: 1 }\n',
  ],
  count: [
    'console.count(); console.count("x"); console.count(); console.countReset(); console.count(); console.countReset("no")',
    "default: 1\nx: 1\ndefault: 2\ndefault: 1\n[WARN] Count for 'no' does not exist\n",
  ],
  group: [
    'console.group("G"); console.log("a\\nb"); console.group(); console.log({ a: 1 }); console.groupEnd(); console.groupEnd(); console.groupEnd(); console.log("out")',
    'G\n  a\n  b\n    { a: 1 }\nout\n',
  ],
  groupCollapsed: ['console.groupCollapsed("G", 1); console.log("a"); console.groupEnd()', 'G 1\n  a\n'],
  time: [
    'console.timeEnd("no"); console.time(); console.time()',
    "[WARN] No such label 'no' for console.timeEnd()\n[WARN] Label 'default' already exists for console.time()\n",
  ],
  clear: ['console.clear(); console.log("a")', 'a\n'],
  'a method alone': [
    'const { log, table, group, groupEnd } = console; group(); log("a"); groupEnd(); [1].forEach((x) => log(x)); table(5)',
    '  a\n1\n5\n',
  ],
};

for (const [name, [source, text]] of Object.entries(methods)) {
  test(`console: ${name}`, async () => assert.equal((await printed(engine, source)).text, text));
}

test('console.timeLog and console.timeEnd print a time', async () => {
  const { text } = await printed(engine, 'console.time("t"); console.timeLog("t", { a: 1 }); console.timeEnd("t")');
  assert.match(text, /^t: [\d.]+ms \{ a: 1 \}\nt: [\d.]+ms\n$/);
});

test('console.trace prints where it was called', async () => {
  const { text } = await printed(engine, 'function f() { console.trace("here %d", 1) }\nf()');
  assert.equal(text, 'Trace: here 1\n    at f (<eval>:1:24)\n    at <eval>:2:1\n');
});

test('the console has the members and the looks of a console', async () => {
  const { value } = await printed(
    engine,
    '[Object.keys(console).sort(), console.log.name, console.table.name, String(console), "prototype" in console.log]',
  );
  const [keys, ...looks]: unknown[] = JSON.parse(value);
  assert.deepEqual(looks, ['log', 'table', '[object console]', false]);
  assert.deepEqual(keys, [
    'assert',
    'clear',
    'count',
    'countReset',
    'debug',
    'dir',
    'dirxml',
    'error',
    'group',
    'groupCollapsed',
    'groupEnd',
    'info',
    'log',
    'table',
    'time',
    'timeEnd',
    'timeLog',
    'trace',
    'warn',
  ]);
});

const tables = [
  '[{ a: 1, b: "x" }, { a: 2, c: { d: 1 } }]',
  '[[1, 2], [3, 4]]',
  '[1, "a", null]',
  '({ x: { a: 1 }, y: 5 })',
  'new Map([["k", { a: 1 }], [2, "v"]])',
  'new Set([1, "b"])',
  '[{ a: 1, b: 2 }, 7], ["b"]',
  '[]',
  '"text"',
  'null',
  '[{ "日本": "😀" }]',
  'new Map([[1, 2]]).keys()',
];

test('console.table prints the table that Node prints', async () => {
  const { text } = await printed(engine, tables.map((args) => `console.table(${args})`).join('\n'));
  let expected = '';
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      expected += chunk;
      done();
    },
  });
  const context = createContext({ console: new Console(stdout) });
  for (const args of tables) runInContext(`console.table(${args})`, context);
  assert.equal(text, expected);
});

test('counts stay in the heap, groups and times do not', async () => {
  const first = await engine.run({ source: 'console.count(); console.group(); console.time()', keepHeap: true });
  const { text } = await printed(engine, 'console.count(); console.timeEnd()', { heap: heapOf(first) });
  assert.equal(text, "default: 2\n[WARN] No such label 'default' for console.timeEnd()\n");
});
