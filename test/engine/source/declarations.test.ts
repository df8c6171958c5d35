import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evaluate, ready, startSession } from './console-session.ts';

const KINDS: Record<string, (value: number) => string> = {
  let: (value) => `let x = ${value};`,
  const: (value) => `const x = ${value};`,
  var: (value) => `var x = ${value};`,
  class: (value) => `class x { static [Symbol.toPrimitive]() { return ${value} } }`,
  function: (value) => `function x() {} x[Symbol.toPrimitive] = () => ${value};`,
  destructuring: (value) => `const { a: [x] } = { a: [${value}] };`,
  using: (value) => `using x = { [Symbol.dispose]() {}, [Symbol.toPrimitive]() { return ${value} } };`,
};

test('a name can be declared again as anything, in plain and in awaiting scripts', async () => {
  for (const before of Object.values(KINDS)) {
    for (const after of Object.values(KINDS)) {
      for (const [first, second] of [
        [before(1), after(2)],
        [`await 1;${before(1)}`, after(2)],
        [before(1), `await 1;${after(2)}`],
        [`return;await 1;${before(1)}`, `if (0) return;${after(2)}`],
      ] satisfies [string, string][]) {
        const { run } = startSession();
        await run(first);
        await run(second);
        assert.equal(await run('x + 0'), 2, `${first} | ${second}`);
      }
    }
  }
});

test('every kind of declaration stays for later runs', async () => {
  const { run } = startSession();
  await run('let a = 1, b; const c = 2; var d = 3; class E { static v = 4 } function f() { return 5 }');
  await run(
    'await 1; let g = 6, h; const { i, j: [k = 8] } = { i: 7, j: [] }; { var l = 9 } class M {} async function n() {}',
  );
  await run('for (var o = 0, p; o < 3; o++); for (var q of [1]); for (var r in { s: 1 }); for (var [t] of [[2]]);');
  await run('await 0; for (var u = 0, w; u < 3; u++); for (var v of [1]); for await (var y of [5]); if (1) var z = 1;');
  assert.equal(
    await run('[a,b,c,d,E.v,f(),g,h,i,k,l,typeof M,typeof n,o,p,q,r,t,u,v,w,y,z].join()'),
    '1,,2,3,4,5,6,,7,8,9,function,function,3,,1,s,2,3,1,,5,1',
  );
  assert.deepEqual(await run('Object.keys(globalThis).filter((name) => name.startsWith("__cay"))').then(String), '');
});

test('a declaration without a value starts anew, a var does not', async () => {
  const { run } = startSession();
  await run('let a = 1; var b = 2');
  assert.equal(await run('let a; var b; `${a} ${b}`'), 'undefined 2');
  await run('a = 1');
  assert.equal(await run('await 1; let a; var b; `${a} ${b}`'), 'undefined 2');
});

test('names of inner scopes do not get out', async () => {
  for (const head of ['', 'await 1;']) {
    const program = `${head}{ let a = 1; const b = 2; class C {} } for (let d = 0; d < 1; d++); for (const e of [1]);
      try { throw 1 } catch (f) {} (() => { var g = 1; function h() {} })();`;
    const { run } = startSession();
    await run(program);
    assert.equal(
      await run('[typeof a, typeof b, typeof C, typeof d, typeof e, typeof f, typeof g, typeof h].join("")'),
      'undefined'.repeat(8),
    );
  }
});

test('functions can be called before their declaration', async () => {
  assert.equal(await evaluate('const r = f(); function f() { return 1 } r'), 1);
  assert.equal(await evaluate('const r = await f(); async function f() { return 1 } r'), 1);
  assert.equal(await evaluate('return [...g()][0]; function* g() { yield 1 }'), 1);
  assert.equal(await evaluate('await 1; var f = 1; function f() {} f'), 1);
});

test('functions and classes keep their names and their text', async () => {
  for (const head of ['', 'await 1;']) {
    assert.equal(await evaluate(`${head}let a = () => {}; a.name`), 'a');
    assert.equal(await evaluate(`${head}const { b = class {} } = {}; b.name`), 'b');
    assert.equal(await evaluate(`${head}class C { /* c */ } C.name + C`), 'Cclass C { /* c */ }');
    assert.equal(await evaluate(`${head}function d(x) { /* d */ } d.name + d`), 'dfunction d(x) { /* d */ }');
    assert.equal(await evaluate(`${head}class E { static me = () => E } const F = E; E = null; F.me() === F`), true);
  }
});

test('what is declared is listed', async () => {
  for (const head of ['', 'await 1;']) {
    const { consts, declared, wrapped } = await ready(
      `${head}const a = 1, { b, ...c } = {}; let d; { var e; let no } class F {} function g(no) { var no2 } { function h() {} }`,
    );
    assert.deepEqual(consts, ['a', 'b', 'c']);
    assert.deepEqual(declared.toSorted(), ['F', 'd', 'e', 'g', 'h']);
    assert.equal(wrapped, head !== '');
  }
});

test('await in an inner function needs no wrapper, await outside does', async () => {
  for (const [program, wrapped] of [
    ['async () => { await 1; for await (const a of b); }', false],
    ['class A { async m() { await 1 } x = async () => await 1; static { async () => await 1 } }', false],
    ['function f() { return 1 }', false],
    ['async function f(a = async () => await 1) { return await a }', false],
    ['class A { [await 1]() {} }', true],
    ['class A extends (await B) {}', true],
    ['for await (const a of b);', true],
    ['for (await using a of b);', true],
    ['if (a) return', true],
    ['{ using a = b }', false],
    ['using a = b', true],
  ] satisfies [string, boolean][]) {
    assert.equal((await ready(program)).wrapped, wrapped, program);
  }
});

test('what is used at top level is disposed of at the end of the run', async () => {
  const { run } = startSession();
  await run(
    'var log = []; const res = (name) => ({ name, [Symbol.dispose]() { log.push(name) }, [Symbol.asyncDispose]: async () => log.push(name) })',
  );
  assert.equal(await run('using a = res("a"), b = res("b"); await using c = res("c"); log.push("end"); a.name'), 'a');
  assert.equal(await run('log.join() + a.name'), 'end,c,b,aa');
  await run('for (await using d of [res("d")]) { using e = res("e") }');
  assert.equal(await run('log.slice(-2).join()'), 'e,d');
});

test('a top-level await is not possible where no function may wait', async () => {
  for (const program of ['class A { static { await 1 } }', 'class A { x = await 1 }', 'function f(a = await 1) {}']) {
    const { source, map } = await ready(program);
    assert.equal(source, program);
    assert.equal(map, null);
    await assert.rejects(evaluate(program), { name: 'SyntaxError' });
  }
});
