import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blocksOf, pages } from './blocks.ts';
import { walk } from './walk.ts';

/** The longest ones have files of their own: test/readme.test.ts, guide.test.ts, operating.test.ts. */
const elsewhere = ['README.md', 'docs/guide.md', 'docs/operating.md'];
const withBlocks = pages().filter((page) => blocksOf(page).length > 0);

test('there are pages to read', () => {
  assert.ok(withBlocks.length >= 8);
});

for (const page of withBlocks.filter((name) => !elsewhere.includes(name))) {
  test(`everything that ${page} shows is so`, (t) => walk(t, page));
}
