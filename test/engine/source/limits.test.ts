import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transform } from '../../../src/engine/source/transform.ts';
import { evaluate, located, ready } from './console-session.ts';

const MIB = 1024 * 1024;

test('16 MiB of text come through, with the value they have', async () => {
  const line =
    'let a = 1; // padding padding padding padding padding padding padding padding padding padding padding\n';
  const text = `${line}a++;\n${`// ${line}`.repeat(Math.ceil((16 * MIB) / line.length))}`;
  assert.ok(text.length > 16 * MIB);
  assert.equal(await evaluate(text), 1);
  assert.equal(await evaluate(`await 1;${text}`), 1);
  assert.equal(await evaluate(`"${'x'.repeat(16 * MIB)}".length`), 16 * MIB);
});

test('a large script of many statements is rewritten', async () => {
  const statements = Array.from({ length: 10_000 }, (_, n) => `class C${n} { m() { return ${n} } }`);
  const { declared, map, source } = await ready(`${statements.join('\n')}\nawait 1; boom()`);
  assert.equal(declared.length, statements.length);
  const line = source.split('\n').findIndex((text) => text.includes('boom()'));
  const column = source.split('\n')[line]?.indexOf('boom()') ?? -1;
  assert.ok(map !== null && map.length / 4 <= 50_000);
  assert.deepEqual(located({ ...(await ready('1')), map }, line + 1, column + 1), [10_001, 10]);
});

test('a large TypeScript source comes through', async () => {
  const text = Array.from({ length: 5_000 }, (_, n) => `const v${n}: number = ${n};`).join('\n');
  assert.equal(await evaluate(`${text}\nv4999`), 4999);
});

test('nesting that no parser bears is left for V8 to judge', async () => {
  for (const depth of [2_000, 100_000]) {
    for (const [open, close] of [
      ['(', ')'],
      ['[', ']'],
      ['{', '}'],
      ['!', ''],
      ['1+', ''],
      ['a=>', ''],
      ['if(1)', ''],
      ['(', ' as any)'],
      ['`${', '}`'],
    ] satisfies [string, string][]) {
      const source = `${open.repeat(depth)}1${close.repeat(depth)}`;
      const transformed = await transform(source);
      assert.ok(transformed.kind === 'ready' || transformed.kind === 'refused', `${depth} ${open}`);
    }
  }
  assert.equal(await evaluate('let t: number = 1; t'), 1, 'the worker still serves');
});

test('long chains are rewritten like short ones', async () => {
  assert.equal(await evaluate(`let a = ${'1+'.repeat(3_000)}1; a`), 3_001);
  assert.equal(await evaluate(`let b = await 1; ${'if (0) 1; else '.repeat(500)} b`), 1);
});

test('lone surrogates and NUL are no reason to fall', async () => {
  for (const source of ['\ud800', 'let \udc00', '"\ud800', 'let t: number = "\ud800"', '\0', 'let t: \0', '`\0${'])
    assert.ok((await transform(source)).kind.length > 0);
});

test('many sources at once are served in turn', async () => {
  const sources = Array.from({ length: 20 }, (_, n) => `let t: number = ${n}; t`);
  assert.deepEqual(await Promise.all(sources.map(evaluate)), [...sources.keys()]);
});
