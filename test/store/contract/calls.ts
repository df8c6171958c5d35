import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CallRecord } from '../../../src/store/calls.ts';
import type { Store } from '../../../src/store/types.ts';
import type { TestedStore } from '../contract.ts';
import { submission } from '../samples.ts';
import { openFor } from './places.ts';

const record = (index: number, change: Partial<CallRecord> = {}): CallRecord => ({
  index,
  server: 'github',
  tool: 'get_user',
  arguments: { text: '{"username":"octocat"}', bytes: 22 },
  outcome: 'ok',
  code: null,
  message: null,
  result: { text: '{"name":"Größe 🦜"}', bytes: 23 },
  startedAt: 1_700_000_000_000 + index,
  durationMs: 1.5,
  ...change,
});

async function execution(store: Store): Promise<string> {
  return (await store.executions.add(submission({ kind: 'code_execution' }), true)).id;
}

export function testCalls(name: string, make: () => TestedStore): void {
  describe(`${name}: tool calls`, () => {
    const place = openFor(make);

    test('they are listed as they were put, in their order', async () => {
      const id = await execution(place.store);
      const failed = record(1, { outcome: 'error', code: 'UPSTREAM_ERROR', message: 'no', result: null });
      await place.store.calls.put(id, [record(0), failed]);
      await place.store.calls.put(id, [record(2)]);
      assert.deepEqual(await place.store.calls.list(id, { limit: 10 }), [record(0), failed, record(2)]);
      assert.deepEqual(await (await place.reopen()).calls.list(id, { limit: 10 }), [record(0), failed, record(2)]);
    });

    test('one with the same index takes the place of the one before', async () => {
      const id = await execution(place.store);
      const running = record(0, { outcome: 'running', result: null, durationMs: null });
      await place.store.calls.put(id, [running]);
      assert.deepEqual(await place.store.calls.list(id, { limit: 10 }), [running]);
      await place.store.calls.put(id, [record(0)]);
      assert.deepEqual(await place.store.calls.list(id, { limit: 10 }), [record(0)]);
    });

    test('they come in pages', async () => {
      const id = await execution(place.store);
      await place.store.calls.put(
        id,
        Array.from({ length: 10 }, (_, index) => record(index)),
      );
      const indices = async (query: { limit: number; after?: number }) =>
        (await place.store.calls.list(id, query)).map(({ index }) => index);
      assert.deepEqual(await indices({ limit: 3 }), [0, 1, 2]);
      assert.deepEqual(await indices({ limit: 3, after: 2 }), [3, 4, 5]);
      assert.deepEqual(await indices({ limit: 3, after: 9 }), []);
    });

    test('they belong to one execution, and an unknown one has none and takes none', async () => {
      const [first, second] = [await execution(place.store), await execution(place.store)];
      await place.store.calls.put(first, [record(0)]);
      assert.deepEqual(await place.store.calls.list(second, { limit: 10 }), []);
      assert.deepEqual(await place.store.calls.list('none', { limit: 10 }), []);
      await assert.rejects(place.store.calls.put('none', [record(0)]), { code: 'not_found' });
    });

    test('those put right after their execution was added find it', async () => {
      const added = submission({ kind: 'code_execution' });
      const adding = place.store.executions.add(added, true);
      await place.store.calls.put(added.id, [record(0)]);
      await adding;
      assert.equal((await place.store.calls.list(added.id, { limit: 10 })).length, 1);
    });

    test('an execution whose end need not be synced ends all the same', async () => {
      const id = await execution(place.store);
      const plain = { result: '1', error: null, inputHeap: null, heapRestored: null, heap: null, heapError: null };
      const ending = { status: 'completed', ...plain, completedAt: Date.now(), durationMs: 1, synced: false } as const;
      assert.equal((await place.store.executions.finish(id, ending))?.status, 'completed');
      assert.equal(await place.store.executions.finish(id, ending), null);
      assert.equal((await (await place.reopen()).executions.get(id))?.status, 'completed');
    });
  });
}
