import assert from 'node:assert/strict';
import { createHash, randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { loadBuild } from '../../src/engine/build.ts';
import { reuseShared, sharedBytes } from '../../src/engine/core.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { RecentHeaps } from '../../src/store/sqlite/recent-heaps.ts';
import { ending, noise, submission } from './samples.ts';
import { sqliteFolder } from './sqlite-folder.ts';

const size = 200_000;
const sha256 = (raw: Uint8Array) => createHash('sha256').update(raw).digest('hex');

function shared(raw: Uint8Array): Uint8Array {
  const bytes = sharedBytes(raw.length);
  bytes.set(raw);
  return bytes;
}

test('memory of heaps is used again, and never while someone reads it', async () => {
  const place = sqliteFolder();
  const buffers = new Set<ArrayBufferLike>();
  let reused = 0;
  const reuse = (raw: Uint8Array) => {
    reused++;
    reuseShared(raw);
  };
  const store = await openSqliteStore({ folder: place.folder, codec: loadBuild().addon, cacheMb: 1, reuse });
  const keys: string[] = [];
  const base = noise(size, 1);

  async function leave(step: number): Promise<void> {
    const raw = shared(base);
    buffers.add(raw.buffer);
    raw.set(Buffer.from(`step ${step % 150}`), (step * 997) % (size - 20)); // some are the same as an earlier one
    const key = sha256(raw);
    const { id } = await store.executions.add(submission(), true);
    const parent = keys.at(-1) ?? null;
    const heap = { raw, fingerprint: 'f1', v8: '14.0' };
    const ended = await store.executions.finish(id, ending({ inputHeap: parent, heap }));
    assert.equal(ended?.outputHeap, key);
    keys.push(key);
  }

  async function read(): Promise<void> {
    const key = keys[Math.max(0, keys.length - 1 - randomInt(30))];
    const found = key === undefined ? [] : await Promise.all([store.heaps.get(key), store.heaps.get(key)]);
    await setTimeout(randomInt(20));
    for (const heap of found) {
      assert.equal(heap && sha256(heap.raw), key, 'it has changed while it was being read');
      heap?.done();
    }
  }

  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let step = 0; step < 50; step++) await leave(writer * 1000 + step);
  });
  const readers = Array.from({ length: 6 }, async () => {
    for (let turn = 0; turn < 60; turn++) await read();
  });
  await Promise.all([...writers, ...readers]);
  for (const key of new Set(keys)) {
    const found = await store.heaps.get(key);
    assert.equal(found && sha256(found.raw), key);
    found?.done();
  }
  assert.ok(reused > 100, `${reused}`);
  assert.ok(buffers.size < 190, `${buffers.size} pieces of memory for 200 heaps`);
  await store.close();
  await place.remove();
});

test('a heap that is being read does not leave', () => {
  const reused: Uint8Array[] = [];
  const recent = new RecentHeaps(2, (raw) => reused.push(raw));
  const [a, b, c] = [Uint8Array.of(1), Uint8Array.of(2), Uint8Array.of(3)];
  recent.add('a', a);
  const borrowed = recent.borrow('a');
  recent.add('b', b);
  recent.add('c', c);
  const leaving = recent.takeLeaving();
  assert.deepEqual(leaving.keys, ['b']);
  assert.deepEqual(reused, []);
  leaving.forgotten();
  assert.deepEqual(reused, [b]);
  borrowed?.done();
  borrowed?.done();
  recent.add('d', Uint8Array.of(4));
  assert.deepEqual(recent.takeLeaving().keys, ['a']);
});

test('a heap that is asked for while it is leaving stays', () => {
  const reused: Uint8Array[] = [];
  const recent = new RecentHeaps(2, (raw) => reused.push(raw));
  const a = Uint8Array.of(1);
  recent.add('a', a);
  recent.add('b', Uint8Array.of(2));
  recent.add('c', Uint8Array.of(3));
  assert.equal(recent.borrow('a')?.raw, a);
  assert.deepEqual(recent.takeLeaving().keys, []);
  assert.equal(recent.borrow('d'), null);
});

test('where nothing may stay nothing does, but for as long as it is read', () => {
  const recent = new RecentHeaps(0, () => {});
  recent.add('a', Uint8Array.of(1));
  assert.equal(recent.borrow('a'), null);
  const borrowed = recent.addAndBorrow('b', Uint8Array.of(2));
  assert.equal(recent.borrow('b')?.raw, borrowed.raw);
});

test('what has been read leaves when there is too much', () => {
  const recent = new RecentHeaps(0, () => {});
  recent.addAndBorrow('a', Uint8Array.of(1)).done();
  assert.equal(recent.borrow('a'), null);
});

test('of two heaps with the same bytes one leaves', () => {
  const reused: Uint8Array[] = [];
  const recent = new RecentHeaps(10, (raw) => reused.push(raw));
  const [first, second] = [Uint8Array.of(1), Uint8Array.of(1)];
  recent.add('a', first);
  recent.add('a', second);
  const leaving = recent.takeLeaving();
  leaving.forgotten();
  assert.deepEqual(leaving.keys, ['a']);
  assert.equal(reused[0], second);
  assert.equal(recent.borrow('a')?.raw, first);
});
