import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepRetention } from '../../src/heaps/retention.ts';
import { heapOf, runToEnd, testServer, underway } from '../executions/server.ts';

test('retention takes what is old, and leaves tagged heaps, those in use and the log', async () => {
  const server = await testServer({ retention: { maxAgeMs: 1, everyMs: 20 } });
  const { store, executions } = server;
  const used = heapOf(await runToEnd(server, { code: 'let used = 1', session: 'kept', tags: { until: 'used' } }));
  const running = await underway(server, { heap: used });
  await store.tags.remove(used, null);
  const tagged = heapOf(await runToEnd(server, { code: 'let tagged = 1', tags: { keep: 'me' } }));
  const old = heapOf(await runToEnd(server, { code: 'let old = 1', session: 'kept' }));
  while (await store.heaps.info(old)) await executions.wait(running.id, 5);
  assert.ok(await store.heaps.info(used));
  assert.ok(await store.heaps.info(tagged));
  assert.equal((await store.sessions.entries('kept', { limit: 10 })).length, 2);
  const execution = await runToEnd(server, { code: 'typeof old', heap: old });
  assert.deepEqual([execution.result, execution.heapRestored], ['"undefined"', false]);
  await executions.cancel(running.id);
});

test('a look that fails is tried again later, and does not end the server', async () => {
  const server = await testServer();
  let looks = 0;
  const keeper = keepRetention(server.store.heaps, { maxTotalBytes: 1 }, async () => {
    if (++looks === 1) throw new Error('not now');
    return new Set();
  });
  await assert.rejects(keeper.run(), /not now/);
  assert.ok(await keeper.run());
  await keeper.stop();
});
