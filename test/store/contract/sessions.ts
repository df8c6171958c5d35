import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TestedStore } from '../contract.ts';
import { ending, leaveHeap, noise, submission } from '../samples.ts';
import { openFor } from './places.ts';

export function testSessions(name: string, make: () => TestedStore): void {
  describe(`${name}: sessions`, () => {
    const place = openFor(make);

    test('reading creates nothing', async () => {
      assert.deepEqual(await place.store.sessions.entries('nobody', { limit: 10 }), []);
      assert.equal(await place.store.sessions.latestHeap('nobody'), null);
      assert.deepEqual(await place.store.sessions.names(), []);
    });

    test('an execution is an entry when it ends, not before, and not without a session', async () => {
      const { id } = await place.store.executions.add(submission({ session: 'mine', code: 'let a = 1' }), true);
      await leaveHeap(place.store, noise(100, 1));
      assert.deepEqual(await place.store.sessions.names(), []);
      await place.store.executions.finish(id, ending({ completedAt: 1234 }));
      const entry = { index: 0, inputHeap: null, outputHeap: null, code: 'let a = 1', timestamp: 1234 };
      assert.deepEqual(await place.store.sessions.entries('mine', { limit: 10 }), [entry]);
    });

    test('a run of code_execution is no entry', async () => {
      const { id } = await place.store.executions.add(submission({ session: 'other', kind: 'code_execution' }), true);
      await place.store.executions.finish(id, ending());
      assert.deepEqual(await place.store.sessions.names(), ['mine']);
    });

    test('the index counts from 0 without gaps, also when many end at once', async () => {
      const add = () => place.store.executions.add(submission({ session: 'busy' }), true);
      const added = await Promise.all(Array.from({ length: 50 }, add));
      await Promise.all(added.map(({ id }) => place.store.executions.finish(id, ending())));
      const entries = await place.store.sessions.entries('busy', { limit: 100 });
      assert.deepEqual(
        entries.map(({ index }) => index),
        Array.from({ length: 50 }, (_, index) => index),
      );
    });

    test('entries are the newest, in order, or those from an offset', async () => {
      const indices = async (query: { offset?: number; limit: number }) =>
        (await place.store.sessions.entries('busy', query)).map(({ index }) => index);
      assert.deepEqual(await indices({ limit: 3 }), [47, 48, 49]);
      assert.deepEqual(await indices({ offset: 5, limit: 2 }), [5, 6]);
      assert.deepEqual(await indices({ offset: 49, limit: 9 }), [49]);
      assert.deepEqual(await indices({ offset: 50, limit: 9 }), []);
    });

    test('the code may be left out', async () => {
      const [entry] = await place.store.sessions.entries('busy', { limit: 1 });
      const [short] = await place.store.sessions.entries('busy', { limit: 1, code: false });
      assert.deepEqual(short, { ...entry, code: '' });
    });

    test('the latest heap is the newest that was left: a failed execution does not take it away', async () => {
      const first = await leaveHeap(place.store, noise(100, 2), { submission: { session: 'mine' } });
      assert.equal(await place.store.sessions.latestHeap('mine'), first.outputHeap);
      const { id } = await place.store.executions.add(submission({ session: 'mine' }), true);
      await place.store.executions.finish(
        id,
        ending({ status: 'failed', error: 'Error: no', inputHeap: first.outputHeap }),
      );
      assert.equal(await (await place.reopen()).sessions.latestHeap('mine'), first.outputHeap);
      const [, , failed] = await place.store.sessions.entries('mine', { limit: 10 });
      assert.deepEqual([failed?.inputHeap, failed?.outputHeap], [first.outputHeap, null]);
      assert.deepEqual(await place.store.sessions.names(), ['mine', 'busy']);
    });
  });
}
