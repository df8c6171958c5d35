import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reuseShared, sharedBytes } from '../../src/engine/core.ts';

const megabyte = 2 ** 20;

test('memory in sizes that nobody asks for any more makes room for others', () => {
  for (const piece of Array.from({ length: 200 }, () => sharedBytes(megabyte / 2))) reuseShared(piece);
  const large = sharedBytes(6 * megabyte);
  reuseShared(large);
  assert.ok(sharedBytes(6 * megabyte).buffer === large.buffer);
});
