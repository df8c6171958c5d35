import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transform } from '../../../src/engine/source/transform.ts';
import type { Refused } from '../../../src/engine/source/types.ts';
import { CONST_ERROR, evaluate, ready, startSession } from './console-session.ts';

test('TypeScript runs without its types', async () => {
  for (const [program, expected] of [
    ['let a: number = 1; a', 1],
    ['const f = (a: number, b?: string): string => a + (b ?? ""); f(1)', '1'],
    ['interface I { a: number } type T = I | null; const t: T = { a: 2 }; t.a', 2],
    ['enum E { A, B = 5, C, D = "d" } `${E.A}${E.C}${E.D}${E[5]}`', '06dB'],
    ['const enum K { A = 3, B } K.B', 4],
    ['enum E { A } enum E { B = 1 } `${E.A}${E.B}`', '01'],
    ['declare const nothing: number; declare function no(): void; typeof nothing', 'undefined'],
    ['namespace N { export const a = 1; export namespace M { export const b = a + 1 } } N.M.b', 2],
    ['namespace N { export const a = 1 } namespace N { export const b = 2 } N.a + N.b', 3],
    ['class C { static s = 1 } namespace C { export const t = 2 } (C as any).s + C.t', 3],
    [
      'class P { constructor(private x: number, readonly y = 2) {} sum() { return this.x + this.y } } new P(1).sum()',
      3,
    ],
    [
      'abstract class A<T> { abstract m(): T; declare d: string; o?: number } class B extends A<number> { m() { return 4 } } new B().m()',
      4,
    ],
    ['function id<T extends object>(x: T): T { return x } id<{ a: 1 }>({ a: 1 }).a', 1],
    ['const s = { a: 1 } satisfies Record<string, number>; s.a', 1],
    ['const x = <any>{ a: { b: 5 } }; x!.a?.b as number', 5],
    ['let v: unknown = await 6; v as number', 6],
    ['const v: number = 7; return v as unknown', 7],
    ['for (const x of [1, 2] as number[]) { if (x === 2) { return x as number } }', 2],
    ['enum E { A = 8 } const v: number = await E.A; return v', 8],
    ['namespace N { export const a = 9 } return N.a', 9],
    ['import type { X } from "x"; import type Y from "y"; const v: X | Y = 10; v', 10],
    ['import type { X } from "x";\nconst v: X = await 11; return v', 11],
    ['export interface X {} export type Y = X; let v: X | Y = 12; v', 12],
    [
      'function over(a: string): string; function over(a: number): number; function over(a: any) { return a } over(13)',
      13,
    ],
    ['let u: string | undefined; u ??= "x"; u!', 'x'],
    ['"use strict"; let t: number = 1; (function () { return this })()', undefined],
    ['using r: any = null; 14', 14],
    ['let t = `${1 as number}`; t', '1'],
    ['#!/usr/bin/env ts\nlet t: number = 15; t', 15],
    ['\ufefflet t: number = 16; t', 16],
    ['let t: number = 17;\r\nif (t) return t', 17],
    ['let a = 1, b = 2, c = 3; a<b>(c)', false],
    ['const f = async <T,>(x: T) => x; await f<number>(18)', 18],
  ] satisfies [string, unknown][]) {
    assert.equal(await evaluate(program), expected, program);
  }
});

test('what TypeScript declares stays and can be declared again, from scratch', async () => {
  const { run } = startSession();
  await run('enum E { A, B } namespace N { export const a = 1 } const c: number = 1; class C { x: number = 1 }');
  assert.equal(await run('E.B + N.a + c + new C().x'), 4);
  await run('enum E { C = 7 } namespace N { export const b = 2 } let c: number = 5');
  assert.equal(await run('JSON.stringify([E, N, c])'), '[{"7":"C","C":7},{"b":2},5]');
  await run('await 1; const E: number = 1; const N: number = 1');
  await run(
    'enum E { D = 1 as number } namespace N { export const d: number = 2 } namespace N { export const e = 3 } await 0',
  );
  assert.equal(await run('JSON.stringify([E, N])'), '[{"1":"D","D":1},{"d":2,"e":3}]');
  await assert.rejects(run('const k: number = 1; k = 2 as number'), CONST_ERROR);
  await assert.rejects(run('(k as any) = 3'), CONST_ERROR);
});

test('JavaScript that could be TypeScript is JavaScript', async () => {
  assert.equal((await ready('a<b>(c)')).source, 'a<b>(c)');
  assert.equal(await evaluate('var type = 1; type\nFoo = 2'), 2);
});

test('an error in TypeScript is told in the words of its compiler, at its place', async () => {
  assert.deepEqual(await refusal('let x: = 5'), {
    kind: 'refused',
    name: 'SyntaxError',
    message: 'Unexpected token `=`',
    line: 1,
    column: 8,
  });
  for (const [program, line, column] of [
    ['let a: number = 1;\nlet b: number = ;', 2, 17],
    ['let a: string = "漢😀é"; let b: = 1', 1, 32],
    ['let a: number = 1;\r\n\u2028let b: = 1', 3, 8],
    ['let a: number = 1; return a +* 2', 1, 30],
    ['\ufefflet x: = 5', 1, 9],
  ] satisfies [string, number, number][]) {
    const refused = await refusal(program);
    assert.deepEqual([refused.line, refused.column], [line, column], program);
  }
});

test('decorators are refused in clear words', async () => {
  for (const [program, line, column] of [
    ['@dec class D {}', 1, 1],
    ['let t: number = 1;\nclass D {\n  @m() method(x: number) {}\n}', 3, 3],
    ['await 1;\n  @dec class D {}', 2, 3],
  ] satisfies [string, number, number][]) {
    const refused = await refusal(program);
    assert.match(refused.message, /^decorators are not supported: /);
    assert.deepEqual([refused.line, refused.column], [line, column], program);
  }
});

test('what is wrong in TypeScript and in JavaScript alike is left for V8 to judge', async () => {
  const twice = 'let x: number = 1;\nlet x: number = 2';
  const { source, map } = await ready(twice);
  assert.equal(source, 'let x = 1;\nlet x = 2;\n');
  assert.notEqual(map, null);
  await assert.rejects(evaluate(twice), { name: 'SyntaxError', message: "Identifier 'x' has already been declared" });
});

test('what is both is read as what it was said to be', async () => {
  const both = 'f<number>(2)';
  const source = async (language: 'javascript' | 'typescript') => {
    const transformed = await transform(both, language);
    return transformed.kind === 'ready' ? transformed.source : transformed.message;
  };
  assert.equal(await source('javascript'), both);
  assert.equal((await source('typescript')).trim(), 'f(2);');
});

test('JavaScript that is no TypeScript runs as TypeScript all the same', async () => {
  const transformed = await transform('let a = 1; a <!-- 2\n3', 'typescript');
  assert.equal(transformed.kind, 'ready');
});

async function refusal(source: string): Promise<Refused> {
  const refused = await transform(source);
  assert.ok(refused.kind === 'refused', `${source} is not refused`);
  return refused;
}
