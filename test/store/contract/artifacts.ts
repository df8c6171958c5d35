import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import type { StoredArtifact } from '../../../src/store/artifacts.ts';
import type { TestedStore } from '../contract.ts';
import { openFor } from './places.ts';

const stream = { bytes: 5e9, lines: 7, headBytes: 48, tailBytes: 16, tailLine: 5, sha256: 'a'.repeat(64) };
const noLimit = Number.MAX_SAFE_INTEGER;
const never = Number.MAX_SAFE_INTEGER;

function artifact(change: Partial<StoredArtifact> = {}): StoredArtifact {
  const id = randomUUID();
  return {
    handle: `runtime-${id}`,
    repo: 'my repo',
    file: id,
    createdAt: 1000,
    expiresAt: never,
    storedBytes: 100,
    stdout: stream,
    stderr: { ...stream, bytes: 0 },
    ...change,
  };
}

export function testArtifacts(name: string, make: () => TestedStore): void {
  describe(`${name}: artifacts`, () => {
    const place = openFor(make);

    test('an artifact is found by its handle, also after a restart; another is not', async () => {
      const added = artifact();
      assert.deepEqual(await place.store.artifacts.add(added, noLimit), []);
      assert.deepEqual(await place.store.artifacts.get(added.handle), added);
      assert.deepEqual(await (await place.reopen()).artifacts.get(added.handle), added);
      assert.equal(await place.store.artifacts.get(added.file), null);
    });

    test('the oldest go when there is too much, and the new one stays', async () => {
      const { artifacts } = place.store;
      await artifacts.expire(never);
      const all = Array.from({ length: 4 }, () => artifact());
      for (const each of all.slice(0, 3)) assert.deepEqual(await artifacts.add(each, 300), []);
      assert.deepEqual(await artifacts.add(all[3] ?? artifact(), 250), [all[0]?.file, all[1]?.file]);
      const left = await Promise.all(all.map(async ({ handle }) => (await artifacts.get(handle)) !== null));
      assert.deepEqual(left, [false, false, true, true]);
      const large = artifact({ storedBytes: 1000 });
      assert.deepEqual(await artifacts.add(large, 500), [all[2]?.file, all[3]?.file]);
      assert.notEqual(await artifacts.get(large.handle), null);
    });

    test('those whose time is up are taken away, however many they are', async () => {
      const { artifacts } = place.store;
      const old = Array.from({ length: 450 }, (_, index) => artifact({ expiresAt: 1000 + index }));
      const young = artifact({ expiresAt: 5001 });
      await Promise.all([...old, young].map((each) => artifacts.add(each, noLimit)));
      assert.deepEqual(await artifacts.expire(999), []);
      assert.deepEqual((await artifacts.expire(5000)).toSorted(), old.map(({ file }) => file).sort());
      assert.deepEqual(await artifacts.expire(5000), []);
      assert.deepEqual(await artifacts.get(young.handle), young);
    });

    test('files that no artifact has are told apart', async () => {
      const known = artifact();
      await place.store.artifacts.add(known, noLimit);
      assert.deepEqual(await place.store.artifacts.unknownFiles(['x', known.file, known.handle]), ['x', known.handle]);
    });
  });
}
