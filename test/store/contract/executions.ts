import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TestedStore } from '../contract.ts';
import { ending, newHeap, noise, submission } from '../samples.ts';
import { openFor } from './places.ts';

export function testExecutions(name: string, make: () => TestedStore): void {
  describe(`${name}: executions`, () => {
    const place = openFor(make);

    test('an added execution is there as it was submitted, also after reopening', async () => {
      const submitted = submission({
        code: 'a\0b — ü\n',
        input: '{"a":1}',
        heap: 'latest',
        session: 's',
        tags: { k: 'v' },
      });
      const added = await place.store.executions.add(submitted, false);
      const { code, input, ...taken } = submitted;
      assert.deepEqual({ ...added, ...taken }, added);
      assert.equal(added.status, 'running');
      assert.equal(added.started, false);
      assert.equal(added.completedAt, null);
      assert.deepEqual(await place.store.executions.get(submitted.id), added);
      const { executions } = await place.reopen();
      assert.deepEqual(await executions.get(submitted.id), added);
      assert.deepEqual(await executions.source(submitted.id), { code, input });
    });

    test('an unknown id gives null, and cannot be started or finished', async () => {
      const { executions } = place.store;
      assert.deepEqual(await Promise.all([executions.get('nobody'), executions.summary('nobody')]), [null, null]);
      assert.equal(await executions.source('nobody'), null);
      await assert.rejects(place.store.executions.start('nobody'), { code: 'not_found' });
      await assert.rejects(place.store.executions.finish('nobody', ending()), { code: 'not_found' });
    });

    test('an id is added once', async () => {
      const twice = submission();
      await place.store.executions.add(twice, true);
      await assert.rejects(place.store.executions.add(twice, true), { code: 'conflict' });
    });

    test('sequences go up in the order of submission, without ties, however fast they come', async () => {
      const added = await Promise.all(
        Array.from({ length: 300 }, () => place.store.executions.add(submission(), false)),
      );
      const sequences = added.map(({ sequence }) => sequence);
      assert.deepEqual(
        sequences,
        [...new Set(sequences)].sort((a, b) => a - b),
      );
      for (const { id } of added) await place.store.executions.finish(id, ending());
    });

    test('one write that fails does not take along those that came with it', async () => {
      const twice = submission();
      const wanted = [submission(), twice, twice, submission()];
      const results = await Promise.allSettled(wanted.map((each) => place.store.executions.add(each, true)));
      assert.deepEqual(
        results.map(({ status }) => status),
        ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
      );
      for (const { id } of wanted) assert.ok(await place.store.executions.get(id));
    });

    test('started says whether it has left the queue', async () => {
      const { id } = await place.store.executions.add(submission(), false);
      await place.store.executions.start(id);
      assert.equal((await place.store.executions.get(id))?.started, true);
    });

    test('what is written soon is written in order with what is written now', async () => {
      const { executions } = place.store;
      const [first, second] = [submission(), submission()];
      const soon = [executions.add(first, false, 'soon'), executions.start(first.id, 'soon')];
      const now = [executions.add(second, false), executions.finish(first.id, ending())];
      await Promise.all([...soon, ...now]);
      const [one, other] = [await executions.get(first.id), await executions.get(second.id)];
      assert.deepEqual([one?.status, one?.started], ['completed', true]);
      assert.ok(one && other && one.sequence < other.sequence);
    });

    test('what is written soon is written when nothing else is, and can be synced', async () => {
      const { executions } = place.store;
      const { id } = await executions.add(submission(), false, 'soon');
      await executions.sync(id);
      assert.equal((await (await place.reopen()).executions.get(id))?.status, 'running');
      await assert.rejects(place.store.executions.sync('nobody'), { code: 'not_found' });
    });

    test('an execution ends once: what comes later changes nothing', async () => {
      const { id } = await place.store.executions.add(submission({ session: 'once' }), true);
      const first = ending({ status: 'cancelled', result: null, error: 'Cancelled by user', durationMs: 12.25 });
      const ended = await place.store.executions.finish(id, first);
      const { heap: _, ...fields } = first;
      assert.deepEqual({ ...ended, ...fields }, ended);
      assert.equal(await place.store.executions.finish(id, ending({ heap: newHeap(noise(200_000, 9)) })), null);
      assert.deepEqual(await place.store.executions.get(id), ended);
      assert.equal((await place.store.sessions.entries('once', { limit: 10 })).length, 1);
    });

    test('of two endings at once one wins', async () => {
      const { id } = await place.store.executions.add(submission(), true);
      const both = [ending({ heap: newHeap(noise(5000, 3)) }), ending({ status: 'timed_out' })];
      const ended = await Promise.all(both.map((each) => place.store.executions.finish(id, each)));
      assert.equal(ended.filter((each) => each !== null).length, 1);
    });

    test('lists newest first, by status, before a sequence, up to a limit', async () => {
      const { executions } = place.store;
      const ids: string[] = [];
      for (let index = 0; index < 5; index++) ids.unshift((await executions.add(submission(), true)).id);
      await executions.finish(ids[1] ?? '', ending({ status: 'failed', error: 'Error: no' }));
      await executions.finish(ids[3] ?? '', ending({ status: 'failed', error: 'Error: no' }));
      const listed = await executions.list({ limit: 5 });
      assert.deepEqual(
        listed.map(({ id }) => id),
        ids,
      );
      assert.deepEqual(
        (await executions.list({ limit: 1, status: 'failed' })).map(({ id }) => id),
        [ids[1]],
      );
      const before = listed[1]?.sequence ?? 0;
      assert.deepEqual(
        (await executions.list({ limit: 2, before })).map(({ id }) => id),
        [ids[2], ids[3]],
      );
      const rest = await executions.list({ limit: 1, before, status: 'failed' });
      assert.deepEqual(
        rest.map(({ id }) => id),
        [ids[3]],
      );
    });

    test('summaries have nothing that may be large', async () => {
      const { executions } = place.store;
      const large = { code: 'x'.repeat(1e6), input: `"${'x'.repeat(1e6)}"`, tags: { k: 'v' } };
      const { id } = await executions.add(submission(large), true);
      const ended = await executions.finish(id, ending({ result: 'y'.repeat(1e6), heapError: 'none' }));
      assert.ok(ended);
      const { result: _, error: __, heapError: ___, tags: ____, ...summary } = ended;
      assert.deepEqual(await executions.summary(id), summary);
      assert.deepEqual(await executions.list({ limit: 1 }), [summary]);
      assert.ok(JSON.stringify(summary).length < 1000);
    });

    test('unfinished ones are those without a terminal status, oldest first', async () => {
      const unfinished = await place.store.executions.unfinished();
      const listed = await place.store.executions.list({ limit: 10_000, status: 'running' });
      assert.ok(unfinished.length > 2);
      assert.deepEqual(unfinished, listed.reverse());
    });
  });
}
