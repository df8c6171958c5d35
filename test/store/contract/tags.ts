import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TestedStore } from '../contract.ts';
import { leaveHeap, noise } from '../samples.ts';
import { openFor } from './places.ts';

export function testTags(name: string, make: () => TestedStore): void {
  describe(`${name}: tags`, () => {
    const place = openFor(make);
    const unknown = 'a'.repeat(64);

    test('an execution tags the heap that it leaves, in place of the tags that it had', async () => {
      const { outputHeap } = await leaveHeap(place.store, noise(100, 1), { submission: { tags: { a: '1', b: '2' } } });
      assert.deepEqual(await place.store.tags.get(outputHeap), { a: '1', b: '2' });
      await leaveHeap(place.store, noise(100, 1), { submission: { tags: { c: '3' } } });
      assert.deepEqual(await place.store.tags.get(outputHeap), { c: '3' });
      await leaveHeap(place.store, noise(100, 1));
      assert.deepEqual(await place.store.tags.get(outputHeap), { c: '3' });
    });

    test('set replaces all, remove takes some or all', async () => {
      const { outputHeap } = await leaveHeap(place.store, noise(100, 2));
      assert.equal(await place.store.tags.set(outputHeap, { x: '1', y: '2', z: '' }), true);
      assert.equal(await place.store.tags.remove(outputHeap, ['y', 'nothing']), true);
      assert.deepEqual(await (await place.reopen()).tags.get(outputHeap), { x: '1', z: '' });
      assert.equal(await place.store.tags.set(outputHeap, { w: '9' }), true);
      assert.deepEqual(await place.store.tags.get(outputHeap), { w: '9' });
      assert.equal(await place.store.tags.remove(outputHeap, null), true);
      assert.deepEqual(await place.store.tags.get(outputHeap), {});
    });

    test('an unknown heap has no tags and takes none', async () => {
      assert.deepEqual(await place.store.tags.get(unknown), {});
      assert.equal(await place.store.tags.set(unknown, { a: '1' }), false);
      assert.equal(await place.store.tags.remove(unknown, null), false);
      assert.equal(await place.store.tags.set('no key', {}), false);
    });

    test('a query finds the heaps that have all of its tags, newest first; an empty one every tagged heap', async () => {
      const keys: string[] = [];
      for (const [index, tags] of [
        { p: 'x', q: '1' },
        { p: 'x', q: '2' },
        { p: 'y', q: '1' },
      ].entries()) {
        keys.unshift((await leaveHeap(place.store, noise(100, 50 + index), { submission: { tags } })).outputHeap);
      }
      const found = async (tags: Record<string, string>) =>
        (await place.store.tags.query(tags)).map(({ heap }) => heap);
      assert.deepEqual(await found({ p: 'x' }), [keys[1], keys[2]]);
      assert.deepEqual(await found({ p: 'x', q: '1' }), [keys[2]]);
      assert.deepEqual(await found({ p: 'x', r: '1' }), []);
      assert.deepEqual((await found({})).slice(0, 3), keys);
      assert.deepEqual((await place.store.tags.query({ q: '2' }))[0]?.tags, { p: 'x', q: '2' });
    });

    test('names that mean something to JavaScript are names like any other', async () => {
      const { outputHeap } = await leaveHeap(place.store, noise(100, 3));
      const tags = JSON.parse('{"__proto__":"1","constructor":"2"," ":"\\u0000"}');
      await place.store.tags.set(outputHeap, tags);
      assert.deepEqual(Object.entries(await place.store.tags.get(outputHeap)).sort(), Object.entries(tags).sort());
      assert.deepEqual(await place.store.tags.query({ toString: '1' }), []);
    });
  });
}
