import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { codeErrors, endings, refusals } from '../../scripts/docs/errors.ts';
import { referencePages } from '../../scripts/docs/reference.ts';
import { statusOf } from '../../src/server/tool.ts';
import { root } from './blocks.ts';

for (const [path, text] of referencePages()) {
  test(`${path} is what npm run docs would write`, () => {
    assert.equal(readFileSync(join(root, path), 'utf8'), text, 'run `npm run docs`');
  });
}

test('nothing else is in docs/reference', () => {
  const there = globSync('docs/reference/**/*.md', { cwd: root });
  assert.deepEqual(there.sort(), [...referencePages().keys()].sort());
});

const source = globSync('src/**/*.ts', { cwd: root })
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n');

test('the codes and texts of the page of errors are those of the source', () => {
  const codes = [...Object.keys(refusals), ...codeErrors.map(([code]) => code)];
  const texts = endings.map(([, error]) => error).filter((error) => error !== '' && error !== 'Name: message');
  const missing = [...codes.map((code) => `'${code}'`), ...texts].filter((text) => !source.includes(text));
  // `invalid_argument: 400,` in the table of statuses needs no quotes.
  assert.deepEqual(
    missing.filter((text) => !source.includes(`${text.slice(1, -1)}: `)),
    [],
  );
});

test('every refusal with a status of its own is on the page of errors', () => {
  const own = [...source.matchAll(/new CayError\(\s*'(\w+)'/g)].map(([, code = '']) => code);
  const known = new Set(Object.keys(refusals));
  assert.deepEqual(
    [...new Set(own)].filter((code) => statusOf(code) !== 500 && !known.has(code)),
    [],
  );
});
