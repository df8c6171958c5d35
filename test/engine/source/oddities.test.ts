import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transform } from '../../../src/engine/source/transform.ts';
import { evaluate, ready, startSession } from './console-session.ts';

test('statements without semicolons stay apart', async () => {
  for (const head of ['', 'await 1\n', 'if (0) return\n']) {
    for (const [program, expected] of [
      ['var f = () => f\nf()\nclass A {}\n(1)', 1],
      ['var f = () => f\nf()\nfunction g() {}\n(2)', 2],
      ['var n = 1\nlet a = n\n;[3].length', 1],
      ['let a\n[a] = [3]\na', 3],
      ['let b\n(b = 4)', 4],
      ['var x = 1, y = 2\nx\n++y\ny', 3],
      ['class A {}\n[5][0]', 5],
      ['class A {}\n`6`', '6'],
      ['class A {}\n/7/.source', '7'],
      ['class A {}class B {}function c() {}class D {}8', 8],
      ['{9}function f() {}', 9],
      ['var i = 0\nwhile (i < 1) i++\n{ }', 0],
      ['do var d = 1; while (0) d', 1],
      ['if (1) 1\nelse 2', 1],
      ['var l\nl\n{ 3 }', 3],
    ] satisfies [string, unknown][]) {
      assert.equal(await evaluate(head + program), expected, head + program);
    }
  }
});

test('comments may stand anywhere', async () => {
  for (const head of ['', '/* a */ await /* b */ 1 // c\n']) {
    for (const [program, expected] of [
      ['/* a */ let /* b */ x /* c */ = /* d */ 1 /* e */ // f\n x // g', 1],
      ['let // a\n x // b\n = 2 // c\n , // d\n y // e\n x /* ; */', 2],
      ['const/**/[a]/**/=/**/[3]/**/;a//', 3],
      ['4 // ;\n;', 4],
      ['class /* a */ A /* b */ { } /* c */ 5 /* d */', 5],
      ['6\n<!-- html\n--> html', 6],
      ['--> html\n7', 7],
      ['/*\n*/ --> html\n8', 8],
      ['for (var/**/i/**/of/**/[9])/**/i/**/', 9],
    ] satisfies [string, unknown][]) {
      assert.equal(await evaluate(head + program), expected, head + program);
    }
  }
  assert.equal(await evaluate('return 1 // end'), 1);
  assert.equal(await evaluate('--> html\nreturn 2 /* end */'), 2);
});

test('a hashbang is a comment', async () => {
  for (const end of ['\n', '\r\n', '\r', '\u2028', '\u2029']) {
    assert.equal(await evaluate(`#!/usr/bin/env node${end}let a = 1; a`), 1);
    assert.equal(await evaluate(`#!/usr/bin/env node${end}let a = await 1; a`), 1);
  }
  assert.equal(await evaluate('#! nothing else'), undefined);
});

test('every line terminator, a byte order mark, unicode names and escapes are taken as they are', async () => {
  for (const end of ['\n', '\r\n', '\r', '\u2028', '\u2029']) {
    assert.equal(await evaluate(['let a = 1', '[a] = [2]', 'await a', ''].join(`;${end}`)), 2);
    assert.equal(await evaluate(['let a', 'a = 2', 'if (a) return a', 'else 3'].join(end)), 2);
  }
  assert.equal(await evaluate('\ufefflet a = 1; a'), 1);
  assert.equal(await evaluate('\ufefflet a = await 1; a'), 1);
  assert.equal(await evaluate('let ünï = 1, 漢 = 2, \\u{61}b = 3, 𠮷 = 4; await 0; ünï + 漢 + ab + 𠮷'), 10);
  assert.equal(await evaluate('const s = "a\u2028b\ud800\\\r\nc"; await 1; s'), 'a\u2028b\ud800c');
  assert.equal(await evaluate('"\ud800"'), '\ud800');
  assert.equal(await evaluate('"\0" + await "\0"'), '\0\0');
  await assert.rejects(evaluate('let a\0 = 1'), { name: 'SyntaxError' });
});

test('contextual words are names where sloppy code has them as names', async () => {
  for (const [program, expected] of [
    ['var let = 1; let + 1', 2],
    ['let = 3; let', 3],
    ['var await = 1; await + 1', 2],
    ['var await = 1; await (0)', undefined],
    ['function await(x) { return x } await (5)', 5],
    ['await = 6; await', 6],
    ['var yield = 1, async = 2, of = 3, using = 4, static = 5; yield + async + of + using + static', 15],
    ['async = 1; async', 1],
    ['for (var async of [1, 2]); async', 2],
    ['for (var let in { a: 1 }); let', 'a'],
    [
      'var async; await 1; for (var async of [1, 2]); for (var let of [3]); for (var let = 1; let < 5; let++); async + let',
      7,
    ],
    ['var using = [7]; using\n[0]', 7],
    ['await: for (;;) break await', undefined],
  ] satisfies [string, unknown][]) {
    if (program === 'var await = 1; await (0)') await assert.rejects(evaluate(program), { name: 'TypeError' });
    else assert.equal(await evaluate(program), expected, program);
  }
});

test("'use strict' holds in the whole script and nowhere else", async () => {
  const { run } = startSession();
  for (const head of ['"use strict";', '"a"; "use strict"\n', "/**/ 'use strict'; await 1;"]) {
    await assert.rejects(run(`${head} undeclared = 1`), { name: 'ReferenceError' });
    await assert.rejects(run(`${head} f(); function f() { undeclared = 1 }`), { name: 'ReferenceError' });
  }
  assert.equal(await run('undeclared = 1'), 1);
  assert.equal(await run('("use strict"); await 1; undeclared2 = 1'), 1);
  assert.equal(await run('await 1; "use strict"; undeclared3 = 1'), 1);
});

test('the names of the wrapper are not in the way', async () => {
  assert.equal(await evaluate('let __cay_value = 1; await 2; __cay_value'), 1);
  assert.equal(await evaluate('let __cay_saved = 1; try { await 2 } finally { __cay_saved = 3 } __cay_saved'), 3);
  assert.equal(await evaluate('await 1; typeof box'), 'undefined');
});

test('what is no JavaScript is left for V8 to judge', async () => {
  for (const program of [
    'let x = ;',
    'foo(',
    '1 +',
    'let a; let a',
    'await',
    'x => {',
    'f() = 1',
    'new.target',
    '"',
    '🙂',
    'break',
  ]) {
    const { source, map, wrapped } = await ready(program);
    if (program === 'await') continue;
    assert.deepEqual([source, map, wrapped], [program, null, false]);
  }
});

test('import and export are refused with what to do instead', async () => {
  for (const [program, line, column] of [
    ['import a from "a"', 1, 1],
    ['let x = 1;\n  import { a } from "a"', 2, 3],
    ['import "a"', 1, 1],
    ['export const a = 1', 1, 1],
    ['1;\n\nexport default 1', 3, 1],
    ['export * from "a"', 1, 1],
    ['let t: number = 1;\n  import { b } from "b";', 2, 3],
    ['export const t: number = 1', 1, 1],
    ['await 1; { import "a" }', 1, 12],
  ] satisfies [string, number, number][]) {
    const refused = await transform(program);
    assert.ok(refused.kind === 'refused', program);
    assert.equal(refused.name, 'SyntaxError');
    assert.match(refused.message, program.includes('import') ? /^import statements are not supported: / : /^export /);
    assert.deepEqual([refused.line, refused.column], [line, column], program);
  }
});
