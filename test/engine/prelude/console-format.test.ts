import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testEngine } from '../steps.ts';
import { expressions } from './expressions.ts';
import { printed } from './printed.ts';
import { printedByNode } from './reference.ts';

const engine = testEngine();
const END = '\u0001';

// How a value is given to console.log; Node's own util.format is the reference.
const calls = [
  'value',
  'value, value',
  '"text", value, 5',
  '{ a: { b: value }, c: [value, [value]] }',
  '"%s|%o|%O", value, value, value',
  '"%O|%%|%c|%x", value, "css", "extra"',
  '"%j", value',
  '"%d %i %f", value, value, value',
];

for (const call of calls) {
  test(`console.log(${call}) prints what Node prints`, async () => {
    const thunks = `[${expressions.map((expression) => `() => (${expression})`).join(',\n')}]`;
    const source = `for (const make of ${thunks}) { const value = make(); console.log(${call}); console.log('${END}') }`;
    const texts = (await printed(engine, source)).text.split(`\n${END}\n`);
    const wanted = printedByNode(`${thunks}.map((make) => { const value = make(); return [${call}] })`);
    assert.equal(wanted.length, expressions.length);
    for (const [index, text] of wanted.entries()) {
      // Where Node's console throws, ours prints something.
      if (text !== null) assert.equal(texts[index], text, `console.log(${call}) of ${expressions[index]}`);
    }
  });
}

const primitives = [
  '-0',
  '0',
  '1e21',
  '.1',
  'NaN',
  '-Infinity',
  '12345678901234567890n',
  'Symbol("s")',
  'Symbol()',
  'true',
  'null',
  'undefined',
  '"%s"',
  '"a%"',
  '"%"',
  '""',
  '"\\n"',
  '"100%", 5',
  '"%%", 5',
  '"a", "%s", 1',
  '5, "%s", 1',
  '"x", -0, 1n, Symbol("q"), null, undefined, "y"',
  '',
];

test('primitives print as Node prints them, without the part that inspects objects', async () => {
  const source = primitives.map((args) => `console.log(${args}); console.log('${END}');`).join('\n');
  const texts = (await printed(engine, source)).text.split(`\n${END}\n`);
  const wanted = printedByNode(`[${primitives.map((args) => `[${args}]`).join(', ')}]`);
  for (const [index, args] of primitives.entries()) assert.equal(texts[index], wanted[index], `console.log(${args})`);
});

test('objects that cannot be printed do not throw', async () => {
  const source = `
    console.log({ get [Symbol.toStringTag]() { throw new Error('tag') } });
    console.log(new Proxy({}, { ownKeys() { throw new Error('keys') } }));
    console.log({ [Symbol.for('nodejs.util.inspect.custom')]() { throw new Error('custom') } }, 'next');
    console.log('%s', { toString() { throw new Error('text') } });
    (function deep() { try { deep() } catch { console.log({ a: [1] }) } })();
    'done'`;
  const { text, value } = await printed(engine, source);
  assert.equal(value, '"done"');
  assert.match(text, /<Inspection threw \(Error: custom/);
  assert.match(text, /next/);
});
