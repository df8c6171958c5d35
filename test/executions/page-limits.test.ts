import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CayError } from '../../src/errors.ts';
import type { PageQuery } from '../../src/executions/types.ts';
import { pageOf, print, testStore } from './outputs.ts';

const store = await testStore();
const mebibyte = 2 ** 20;
const lineOf = (length: number, character = 'x') => `${character.repeat(length - 1)}\n`;

test('a page has 100 lines or 4,096 bytes unless asked otherwise', async () => {
  const output = await print(store, Array<string>(300).fill(lineOf(50)), 'ended');
  const lines = await pageOf(output, {});
  assert.deepEqual([lines.startLine, lines.endLine, lines.data.length], [1, 100, 5000]);
  const bytes = await pageOf(output, { byteOffset: 0 });
  assert.deepEqual([bytes.startByte, bytes.endByte], [0, 4096]);
});

test('byte_limit alone stays in line mode', async () => {
  const output = await print(store, ['one\n', 'two\n'], 'ended');
  assert.equal((await pageOf(output, { byteLimit: 1 })).data, 'one\ntwo\n');
});

test('limits above 10,000 lines or 1 MiB are cut to that', async () => {
  const output = await print(store, [lineOf(20).repeat(12_000), lineOf(1.5 * mebibyte)], 'ended');
  const lines = await pageOf(output, { lineLimit: 1_000_000 });
  assert.deepEqual([lines.endLine, lines.nextLineOffset, lines.hasMore], [10_000, 10_001, true]);
  const bytes = await pageOf(output, { byteOffset: 5, byteLimit: Number.MAX_SAFE_INTEGER });
  assert.deepEqual([bytes.startByte, bytes.endByte], [5, 5 + mebibyte]);
});

for (const mode of ['live', 'ended'] as const) {
  test(`a line page stops before 1 MiB (${mode})`, async () => {
    const output = await print(store, Array<string>(5).fill(lineOf(300_000)), mode);
    const page = await pageOf(output, {});
    assert.deepEqual([page.startLine, page.endLine, page.endByte, page.hasMore], [1, 3, 900_000, true]);
    const exact = await print(store, [lineOf(mebibyte / 2), lineOf(mebibyte / 2), 'next\n'], mode);
    assert.equal((await pageOf(exact, {})).endByte, mebibyte);
    const over = await print(store, [lineOf(mebibyte / 2), lineOf(mebibyte / 2 + 1), 'next\n'], mode);
    assert.equal((await pageOf(over, {})).endByte, mebibyte / 2);
  });

  test(`a first line longer than 1 MiB comes whole, and alone (${mode})`, async () => {
    const output = await print(store, ['short\n', lineOf(3 * mebibyte, 'é').slice(0, -1), '\n', 'after\n'], mode);
    const first = await pageOf(output, {});
    assert.deepEqual([first.data, first.nextLineOffset], ['short\n', 2]);
    const long = await pageOf(output, { lineOffset: 2 });
    assert.deepEqual([long.startLine, long.endLine, long.nextLineOffset], [2, 2, 3]);
    assert.equal(long.data.length, 3 * mebibyte);
    assert.equal((await pageOf(output, { lineOffset: 3 })).data, 'after\n');
  });
}

describe('refused, with the name, what was expected and what came', () => {
  const refused: [PageQuery, string][] = [
    [{ lineOffset: 0 }, 'Expected line_offset to be an integer of at least 1, got 0'],
    [{ lineOffset: -5 }, 'Expected line_offset to be an integer of at least 1, got -5'],
    [{ lineLimit: 0 }, 'Expected line_limit to be an integer of at least 1, got 0'],
    [{ lineLimit: 1.5 }, 'Expected line_limit to be an integer of at least 1, got 1.5'],
    [{ byteOffset: -1 }, 'Expected byte_offset to be an integer of at least 0, got -1'],
    [{ byteOffset: 0, byteLimit: 0 }, 'Expected byte_limit to be an integer of at least 1, got 0'],
    [{ byteOffset: Number.NaN }, 'Expected byte_offset to be an integer of at least 0, got NaN'],
  ];
  for (const [query, message] of refused) {
    test(JSON.stringify(query), async () => {
      const output = await print(store, ['text\n'], 'ended');
      await assert.rejects(pageOf(output, query), new CayError('invalid_argument', message));
    });
  }
});
