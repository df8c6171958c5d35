import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONST_ERROR, startSession } from './console-session.ts';

const ASSIGNMENTS = [
  'x = 1',
  'x += 1',
  'x++',
  '--x',
  'x ??= 1; x &&= 1',
  '(x) = 1',
  '[x] = [1]',
  '[...x] = [1]',
  '[[x = 1] = []] = []',
  '({ x } = { x: 1 })',
  '({ x = 1 } = {})',
  '({ a: x } = { a: 1 })',
  '({ a: { x = 1 } = {} } = {})',
  '({ ...x } = {})',
  'for (x of [1]);',
  'for (x in { a: 1 });',
  'for ([x] of [[1]]);',
  '(() => { x = 1 })()',
  '(function (a = x = 1) {})()',
  '{ let y = 1; x = y }',
  'class A { static { x = 1 } }',
  '\\u0078 = 1',
  '({ \\u0078 } = { x: 1 })',
];

const SHADOWED = [
  '{ let x = 0; x = 1 }',
  '(x => { x = 1 })()',
  '(({ a: [x] }) => { x = 1 })({ a: [0] })',
  '(function () { x = 1; var x })()',
  '(function () { { x = 1; function x() {} } })()',
  '(function x() { x = 1 })()',
  'for (let x = 0; x < 1; x++);',
  'for (let x of [1]) x = 2',
  'try { throw 0 } catch (x) { x = 1 }',
  'try { throw [0] } catch ([x]) { x = 1 }',
  'switch (0) { case 0: let x; x = 1 }',
  '(class x { static m() { let x; x = 1 } }).m()',
  'with ({ x: 0 }) x = 1',
  '({ x: globalThis.q } = { x: 1 })',
  'globalThis.q = 1',
  'let o = { x: 0 }; o.x = 1; o.x++; [o.x] = [1]',
  'x || (x = 1)',
  'x ||= 1',
];

for (const [where, declare, head] of [
  ['of this script', '', 'const x = 5;'],
  ['of this script, which awaits', '', 'const x = await 5;'],
  ['of an earlier script', 'const x = 5', ''],
  ['of an earlier script, in one that awaits', 'const x = 5', 'await 1;'],
  ['of an earlier script that awaited', 'const { x } = await { x: 5 }', ''],
] satisfies [string, string, string][]) {
  test(`a const ${where} cannot be assigned`, async () => {
    for (const assignment of ASSIGNMENTS) {
      const { run } = startSession();
      await run(declare);
      await assert.rejects(run(head + assignment), CONST_ERROR, assignment);
      assert.equal(await run('x'), 5, assignment);
    }
  });

  test(`a name that hides a const ${where} can be assigned`, async () => {
    for (const assignment of SHADOWED) {
      const { run } = startSession();
      await run(declare);
      await run(head + assignment);
      assert.equal(await run('x'), 5, assignment);
    }
  });
}

test('a const that is declared again as something else can be assigned', async () => {
  for (const declaration of [
    'let x',
    'var x',
    'class x {}',
    'function x() {}',
    '{ function x() {} }',
    'await 1; let x',
  ]) {
    const { run } = startSession();
    await run('const x = 1');
    await run(`${declaration}; x = 2`);
    assert.equal(await run('x++; x'), 3, declaration);
  }
});

test('the right side of an assignment to a const is evaluated first', async () => {
  const { run } = startSession();
  await assert.rejects(run('var log = []; const x = 1; x = log.push(1)'), CONST_ERROR);
  assert.equal(await run('log.length'), 1);
});

test('names that are no const are assigned as ever', async () => {
  const { run } = startSession();
  await run('let a = 1; const c = 2');
  assert.equal(await run('a = 2; [a, b] = [a + 1, 4]; ({ a, b } = { a, b: b + 1 }); `${a} ${b} ${c}`'), '3 5 2');
  await assert.rejects(run('"use strict"; undeclared = 1'), { name: 'ReferenceError' });
});
