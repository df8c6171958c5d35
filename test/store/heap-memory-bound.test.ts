import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentHeaps } from '../../src/store/sqlite/recent-heaps.ts';

test('heaps that are only read leave as well: what waits to be told does not pile up', () => {
  const recent = new RecentHeaps(100, () => {});
  for (let heap = 0; heap < 1000; heap++) {
    recent.add(`${heap}`, new Uint8Array(10));
    recent.borrow(`${heap}`)?.done();
  }
  const { keys } = recent.takeLeaving();
  assert.ok(keys.length <= 10, `${keys.length} heaps are kept beside the ten that may be`);
  assert.equal(keys.at(-1), '989');
});
