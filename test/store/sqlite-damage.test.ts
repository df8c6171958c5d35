import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import type { Store } from '../../src/store/types.ts';
import { leaveHeap, noise, withByte } from './samples.ts';
import { sqliteFolder } from './sqlite-folder.ts';

/** Works on a store, then on what is in its folder, then on the store again. */
async function inThree(
  first: (store: Store) => Promise<void>,
  between: (folder: string) => void,
  then: (store: Store) => Promise<void>,
) {
  const place = sqliteFolder();
  for (const work of [first, then]) {
    const store = await place.open();
    try {
      await work(store);
    } finally {
      await store.close();
    }
    if (work === first) between(place.folder);
  }
  await place.remove();
}

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  writeFileSync(path, bytes);
}

const fileOf = (folder: string, key: string) => {
  const names = readdirSync(join(folder, 'heaps')).filter((name) => name.startsWith(key.slice(0, 16)));
  return names.sort().map((name) => join(folder, 'heaps', name));
};

describe('a damaged heap', () => {
  for (const [what, damage] of Object.entries({
    'with another byte': (path: string) => flip(path, 70_000),
    'cut off': (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 90_000)),
    'with nothing in it': (path: string) => writeFileSync(path, ''),
  })) {
    test(`a file ${what} is reported with the heap's key, and harms no other heap`, async () => {
      let [first, second] = ['', ''];
      await inThree(
        async (store) => {
          await leaveHeap(store, noise(100_000, 1));
          first = (await leaveHeap(store, noise(300_000, 2))).outputHeap;
          second = (await leaveHeap(store, noise(300_000, 3))).outputHeap;
        },
        (folder) => damage(fileOf(folder, first)[0] ?? ''),
        async (store) => {
          await assert.rejects(store.heaps.get(first), { code: 'heap_damaged', message: new RegExp(first) });
          assert.equal((await store.heaps.get(second))?.raw.length, 300_000);
          assert.ok(await store.heaps.info(first));
        },
      );
    });
  }

  test('bytes in the database are checked too', async () => {
    let [parent, child] = ['', ''];
    await inThree(
      async (store) => {
        parent = (await leaveHeap(store, noise(100_000, 4))).outputHeap;
        const change = { ending: { inputHeap: parent } };
        child = (await leaveHeap(store, withByte(noise(100_000, 4), 500, 1), change)).outputHeap;
      },
      (folder) => {
        const database = new DatabaseSync(join(folder, 'cay.db'));
        database.exec(`UPDATE heaps SET packed = zeroblob(length(packed)) WHERE packed IS NOT NULL`);
        database.close();
      },
      async (store) => {
        await assert.rejects(store.heaps.get(child), { code: 'heap_damaged' });
        assert.ok(await store.heaps.get(parent));
      },
    );
  });

  test('one that many heaps need is there twice, and mends itself', async () => {
    const keys: string[] = [];
    await inThree(
      async (store) => {
        for (const value of [1, 2, 3])
          keys.push((await leaveHeap(store, withByte(noise(100_000, 5), 500, value))).outputHeap);
      },
      (folder) => {
        const files = fileOf(folder, keys[0] ?? '');
        assert.equal(files.length, 2);
        flip(files[0] ?? '', 70_000);
      },
      async (store) => {
        for (const key of keys) assert.ok(await store.heaps.get(key));
      },
    );
  });

  test('is whole again when an execution leaves the same heap once more', async () => {
    const raw = noise(300_000, 6);
    let key = '';
    await inThree(
      async (store) => {
        await leaveHeap(store, noise(100_000, 7));
        key = (await leaveHeap(store, raw)).outputHeap;
      },
      (folder) => flip(fileOf(folder, key)[0] ?? '', 70_000),
      async (store) => {
        await assert.rejects(store.heaps.get(key), { code: 'heap_damaged' });
        await leaveHeap(store, raw);
        assert.deepEqual((await store.heaps.get(key))?.raw, raw);
      },
    );
  });

  test('a child of it can still be stored', async () => {
    const raw = noise(300_000, 8);
    let parent = '';
    await inThree(
      async (store) => {
        await leaveHeap(store, noise(100_000, 9));
        parent = (await leaveHeap(store, raw)).outputHeap;
      },
      (folder) => flip(fileOf(folder, parent)[0] ?? '', 70_000),
      async (store) => {
        const child = withByte(raw, 1, 1);
        const left = await leaveHeap(store, child, { ending: { inputHeap: parent } });
        assert.deepEqual((await store.heaps.get(left.outputHeap))?.raw, child);
      },
    );
  });
});

test('files that no heap names are swept at the start, those that a heap names stay', async () => {
  const place = sqliteFolder();
  const heaps = join(place.folder, 'heaps');
  mkdirSync(heaps);
  for (const name of ['0123456789abcdef-aaaaaaaaaaaa-1', '0123456789abcdef-aaaaaaaaaaaa-1.copy', 'x-y-.part']) {
    writeFileSync(join(heaps, name), 'half');
  }
  let store = await place.open();
  const { outputHeap } = await leaveHeap(store, noise(100_000, 1));
  await store.close();
  assert.ok(
    readdirSync(heaps).every((name) => name.startsWith(outputHeap.slice(0, 16))),
    readdirSync(heaps).join(),
  );
  store = await place.open();
  await store.close();
  assert.equal(readdirSync(heaps).length, 2);
  await place.remove();
});
