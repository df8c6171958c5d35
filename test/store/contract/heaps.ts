import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import type { TestedStore } from '../contract.ts';
import { ending, leaveHeap, newHeap, noise, submission, withByte } from '../samples.ts';
import { openFor } from './places.ts';

const sha256 = (raw: Uint8Array) => createHash('sha256').update(raw).digest('hex');

export function testHeaps(name: string, make: () => TestedStore): void {
  describe(`${name}: heaps`, () => {
    const place = openFor(make);

    test('a heap comes back byte for byte, under its hash, also after reopening', async () => {
      for (const size of [0, 1, 15, 4096, 70_000, 1_000_000]) {
        const raw = noise(size, size);
        const { outputHeap } = await leaveHeap(place.store, raw);
        assert.equal(outputHeap, sha256(raw));
        assert.deepEqual((await place.store.heaps.get(outputHeap))?.raw, raw);
        const again = await (await place.reopen()).heaps.get(outputHeap);
        assert.deepEqual(Uint8Array.from(again?.raw ?? []), raw);
        assert.equal(again?.info.bytes, size);
        assert.deepEqual(await place.store.heaps.info(outputHeap), again?.info);
      }
    });

    test('a long line of small changes, with branches, comes back at every step', async () => {
      let raw = noise(300_000, 7);
      const made: { key: string; raw: Uint8Array }[] = [];
      for (let step = 0; step < 40; step++) {
        const parent = made.at(step % 5 === 4 ? -3 : -1);
        raw = withByte(parent?.raw ?? raw, step * 1000, step + 1);
        const left = await leaveHeap(place.store, raw, { ending: { inputHeap: parent?.key ?? null } });
        made.push({ key: left.outputHeap, raw });
      }
      await place.reopen();
      for (const each of made.reverse())
        assert.equal(sha256((await place.store.heaps.get(each.key))?.raw ?? raw), each.key);
      const before = await place.store.statistics();
      assert.ok(before.heapBytes < 3_000_000, `${before.heapBytes} bytes`);
    });

    test('the same heap is stored once, whoever leaves it, also at the same time', async () => {
      const before = await place.store.statistics();
      const raw = noise(150_000, 99);
      await Promise.all([leaveHeap(place.store, raw), leaveHeap(place.store, raw), leaveHeap(place.store, raw)]);
      assert.equal((await place.store.statistics()).heaps, before.heaps + 1);
    });

    test('a heap says what engine made it', async () => {
      const { outputHeap } = await leaveHeap(place.store, noise(1000, 5), { fingerprint: 'another' });
      const info = await place.store.heaps.info(outputHeap);
      assert.deepEqual([info?.fingerprint, info?.v8], ['another', '14.0']);
    });

    test('keys are found by their prefix', async () => {
      const { outputHeap: key } = await leaveHeap(place.store, noise(1000, 6));
      for (const length of [12, 13, 63, 64]) {
        assert.deepEqual(await place.store.heaps.withPrefix(key.slice(0, length), 2), [key]);
      }
      assert.equal((await place.store.heaps.withPrefix('', 3)).length, 0);
      assert.deepEqual(await place.store.heaps.withPrefix('../../etc', 3), []);
      assert.deepEqual(await place.store.heaps.withPrefix(`${key.slice(0, 20)}%`, 3), []);
    });

    test('what is no key is not found', async () => {
      for (const key of ['', 'latest', '../cay.db', 'f'.repeat(64), 'F'.repeat(64)]) {
        assert.equal(await place.store.heaps.get(key), null);
        assert.equal(await place.store.heaps.info(key), null);
      }
    });

    test('a parent that is not there is no obstacle', async () => {
      const raw = noise(100_000, 77);
      const left = await leaveHeap(place.store, raw, { ending: { inputHeap: 'e'.repeat(64) } });
      assert.deepEqual((await place.store.heaps.get(left.outputHeap))?.raw, raw);
    });

    test('an execution that ended before leaves no heap', async () => {
      const { id } = await place.store.executions.add(submission(), true);
      await place.store.executions.finish(id, ending());
      const raw = noise(500_000, 1234);
      assert.equal(await place.store.executions.finish(id, ending({ heap: newHeap(raw) })), null);
      assert.equal(await place.store.heaps.info(sha256(raw)), null);
    });
  });
}
