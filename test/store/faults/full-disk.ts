// Fills the disk that the folder it is given is on, with a ballast file first, and checks what the store does then.
// Run by full-disk.test.ts inside a mount of a few megabytes.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadBuild } from '../../../src/engine/build.ts';
import { CayError } from '../../../src/errors.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import type { Store } from '../../../src/store/types.ts';
import { ending, newHeap, noise, submission } from '../samples.ts';

const [disk = ''] = process.argv.slice(2);
const ballast = join(disk, 'ballast');
writeFileSync(ballast, noise(3_000_000, 1));
const open = () => openSqliteStore({ folder: join(disk, 'data'), codec: loadBuild().addon, cacheMb: 0 });
const acknowledged: { id: string; heap: string | null }[] = [];

/** Until the disk is full: the error. */
async function fill(store: Store, size: number, seed: number): Promise<unknown> {
  for (let step = 0; step < 2000; step++) {
    try {
      const { id } = await store.executions.add(submission({ code: `/* ${'x'.repeat(3000)} */` }), true);
      const heap = size > 0 ? newHeap(noise(size, seed + step)) : null;
      const ended = await store.executions.finish(id, ending({ heap }));
      acknowledged.push({ id, heap: ended?.outputHeap ?? null });
    } catch (error) {
      return error;
    }
  }
  throw new Error('the disk never became full');
}

async function checkAll(store: Store): Promise<void> {
  for (const { id, heap } of acknowledged) {
    assert.equal((await store.executions.get(id))?.status, 'completed');
    if (heap !== null) assert.ok(await store.heaps.get(heap));
  }
}

function isDiskFull(error: unknown): void {
  assert.ok(error instanceof CayError, String(error));
  assert.equal(error.code, 'disk_full', error.message);
}

const store = await open();
isDiskFull(await fill(store, 200_000, 100)); // heaps in files
isDiskFull(await fill(store, 0, 0)); // rows
const burst = await Promise.allSettled(
  Array.from({ length: 50 }, () => store.executions.add(submission({ code: 'y'.repeat(50_000) }), true)),
);
for (const each of burst) if (each.status === 'rejected') isDiskFull(each.reason);
assert.ok(burst.some(({ status }) => status === 'rejected'));
await checkAll(store);
rmSync(ballast);
const before = acknowledged.length;
isDiskFull(await fill(store, 20_000, 5000)); // there was room again, and heaps in the database used it up
assert.ok(acknowledged.length > before + 10, `${acknowledged.length - before} more`);
await store.close();
const again = await open(); // on a disk that is still full
await checkAll(again);
await again.close();
process.stdout.write(`${acknowledged.length} acknowledged on a disk that was full four times\n`);
