import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TestedStore } from '../contract.ts';
import { leaveHeap, noise, withByte } from '../samples.ts';
import { openFor } from './places.ts';

const none: ReadonlySet<string> = new Set();

export function testRetention(name: string, make: () => TestedStore): void {
  describe(`${name}: retention`, () => {
    const place = openFor(make);

    /** Independent heaps, each a second older than the next. */
    async function heaps(count: number, seed: number): Promise<string[]> {
      const keys: string[] = [];
      for (let index = 0; index < count; index++) {
        const change = { ending: { completedAt: 1000 * (index + 1) }, submission: { session: 'kept' } };
        keys.push((await leaveHeap(place.store, noise(100_000, seed + index), change)).outputHeap);
      }
      return keys;
    }
    const present = async (keys: readonly string[]) => {
      const found = await Promise.all(keys.map((key) => place.store.heaps.get(key)));
      return keys.filter((_, index) => found[index] !== null);
    };

    test('without a rule nothing goes', async () => {
      const keys = await heaps(3, 100);
      assert.deepEqual(await place.store.heaps.retain({ inUse: none }), { heaps: 0, bytes: 0 });
      assert.deepEqual(await present(keys), keys);
    });

    test('by age, but for the tagged and those in use; log entries stay', async () => {
      const keys = await heaps(5, 200);
      const [, tagged = '', used = '', ...young] = keys;
      await place.store.tags.set(tagged, { keep: 'yes' });
      const taken = await place.store.heaps.retain({ olderThan: 4000, inUse: new Set([used]) });
      assert.ok(taken.heaps >= 1 && taken.bytes > 0);
      assert.deepEqual(await present(keys), [tagged, used, ...young]);
      assert.ok((await place.store.sessions.entries('kept', { limit: 100 })).length >= 5);
    });

    test('by total size, the oldest first', async () => {
      await place.store.heaps.retain({ olderThan: Number.POSITIVE_INFINITY, inUse: none });
      const keys = await heaps(4, 300);
      await place.store.heaps.retain({ maxTotalBytes: 330_000, inUse: none });
      const left = await present(keys);
      assert.deepEqual(left, keys.slice(-left.length));
      assert.ok((await place.store.statistics()).heapBytes <= 330_000);
    });

    test('never what a kept heap needs', async () => {
      let raw = noise(200_000, 400);
      let parent: string | null = null;
      const line: string[] = [];
      for (let step = 0; step < 12; step++) {
        raw = withByte(raw, step * 999, step);
        const change: { inputHeap: string | null; completedAt: number } = { inputHeap: parent, completedAt: 1000 };
        parent = (await leaveHeap(place.store, raw, { ending: change })).outputHeap;
        line.push(parent);
      }
      const last = line.at(-1) ?? '';
      await place.store.heaps.retain({ olderThan: 5000, inUse: new Set([last]) });
      await place.reopen();
      assert.deepEqual((await place.store.heaps.get(last))?.raw.length, raw.length);
      await place.store.heaps.retain({ olderThan: 5000, inUse: none });
      assert.deepEqual(await present(line), []);
    });

    test('a heap that is left again is young again', async () => {
      const [key = ''] = await heaps(1, 500);
      await leaveHeap(place.store, noise(100_000, 500), { ending: { completedAt: 9000 } });
      await place.store.heaps.retain({ olderThan: 5000, inUse: none });
      assert.deepEqual(await present([key]), [key]);
    });

    test('heaps that are being stored while others go all come back', async () => {
      let raw = noise(150_000, 600);
      let parent: string | null = null;
      for (let round = 0; round < 15; round++) {
        raw = withByte(raw, round * 777, round);
        const change: { inputHeap: string | null; completedAt: number } = { inputHeap: parent, completedAt: 1000 };
        const storing = leaveHeap(place.store, raw, { ending: change });
        const [left] = await Promise.all([storing, place.store.heaps.retain({ olderThan: 5000, inUse: none })]);
        const found = await place.store.heaps.get(left.outputHeap);
        if (found) assert.deepEqual(found.raw, raw);
        parent = left.outputHeap;
      }
    });
  });
}
