import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';
import { located, ready } from './console-session.ts';

// An error is thrown at the first `@`, which is not part of the program.
const PROGRAMS = [
  '@null.x',
  'let a = 1; @boom()',
  'let a; @boom()',
  'let a, b\n, c; @boom()',
  'const a = 1, b = @boom()',
  'const { a, b = 1 } = { a: @boom() }',
  'class A {} @boom()',
  'class A { static x = @boom() }',
  'class A {\n  m() {\n    @boom();\n  }\n}\nclass B {}\nnew A().m()',
  'function f() { @boom() } f()',
  'let x = 1\nfunction f() {\n  @boom()\n}\nlet y = 2\nf()',
  'if (1) {\n  let z = @boom();\n}',
  'for (const a of [1]) @boom()',
  'for (var i = 0, n = 1; i < n; i++) @boom()',
  'for (var [a] of [[1]]) @boom()',
  'for (var a = 1 in { b: @boom() });',
  'try { @boom() } finally { 2 }',
  'switch (1) { case 1: @boom() }',
  'do @boom(); while (0)',
  'L: for (;;) { if (1) { @boom() } }',
  '{ function f() { @boom() } f() }',
  'const c = 1; { let d = c; @boom() }',
  '1; 2; (3, @boom())',
  '`a${@boom()}b`',
  '// comment\n/* more\n */ @boom() // end',
  'throw @new Error("x")',
  'let s = "漢😀é"; @boom()',
  'const c = 1;\n\n[0].map(() => { @boom() })',
  'class A {}\r\nclass B {} @boom()',
  'class A {}\u2028class B {}\u2029let c; @boom()',
  'class A {}\rlet b; @boom()',
  'using u = null; @boom()',
];

const FORMS: Record<string, (program: string) => string> = {
  'as it is': (program) => program,
  'after an await': (program) => `await 1; ${program}`,
  'before an await': (program) => `${program}\nawait 1`,
  'before a return': (program) => `${program}\nreturn 1`,
  'among declarations': (program) => `let p1, p2 = 2; class P {}\nfunction p3() {}\n${program}\nlet p4`,
  'as TypeScript': (program) => `let t: number = 1; enum T { A }\n${program}`,
  'as TypeScript that awaits': (program) => `let t: number = await 1; interface I {\n}\n${program}`,
  'as TypeScript that returns': (program) => `let t: number = 1;\n${program};\nreturn t as number`,
  'as TypeScript after a byte order mark': (program) => `\ufeffdeclare let t: number; ${program}`,
};

for (const [name, form] of Object.entries(FORMS)) {
  test(`an error is at its place in the submitted text: ${name}`, async () => {
    for (const program of PROGRAMS) {
      if (name.startsWith('as TypeScript') && program.includes(' = 1 in ')) continue;
      const marked = form(program);
      const source = marked.replace('@', '');
      const before = marked.slice(0, marked.indexOf('@')).split(/\r\n?|[\n\u2028\u2029]/);
      const expected = [before.length, (before.at(-1) ?? '').length + 1];
      assert.deepEqual(await throwPosition(source, program.includes('null.x') ? 5 : 0), expected, source);
    }
  });
}

test('a script of which no column changes has no map', async () => {
  for (const source of ['1', 'let a = 1;\nconst b = 2', 'const f = () => 1; function g() {}', 'var a; { let b }']) {
    assert.equal((await ready(source)).map, null, source);
  }
});

test('a map has a segment for every line from the first one on', async () => {
  const { source, map } = await ready('1;\n2;\nclass A {\n}\n\nawait 1;\n');
  const lines = new Set(map?.filter((_, index) => index % 4 === 0));
  assert.deepEqual([...lines], [...source.split('\n').keys()].slice(2));
});

test('an assignment to a const is reported at its place', async () => {
  for (const source of ['const c = 1;\n  c = 2', 'const c = await 1;\n  c = 2']) {
    const [line, column] = await throwPosition(source, 0);
    assert.equal(line, 2);
    assert.ok(column >= 3 && column <= 5, `${column}`);
  }
});

/** Where V8 says that a script threw, in the submitted text. */
async function throwPosition(source: string, past: number): Promise<[line: number, column: number]> {
  const transformed = await ready(source);
  const context = vm.createContext({ boom: undefined });
  vm.runInContext('globalThis.__cay_const = new Proxy({}, { set() { throw new TypeError("const") } })', context);
  const stack = await (async () => {
    try {
      await vm.runInContext(transformed.source, context, { filename: 'submitted.js' });
    } catch (error) {
      return Object(error).stack;
    }
  })();
  const [, line, column] = /at .*\bsubmitted\.js:(\d+):(\d+)/.exec(stack) ?? [];
  const [toLine, toColumn] = located(transformed, Number(line), Number(column));
  return [toLine, toColumn - past];
}
