import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ended, heapOf, runToEnd, testServer, underway } from './server.ts';

const server = await testServer({ engine: { size: 1 } });

test('after a restart queued ones run in order, the started one has failed, and what ended is as it was', async () => {
  const done = await runToEnd(server, { code: 'let kept = "state"; console.log("said")', session: 'restart' });
  const running = await underway(server, { session: 'restart' });
  const large = `/* ${'x'.repeat(50_000)} */`;
  const queued = [];
  for (let n = 0; n < 5; n++) {
    const heap = n === 0 ? 'latest' : heapOf(done);
    queued.push(
      await server.executions.submit({ code: `${large} kept + ${n}`, heap, session: 'restart', tags: { n: `${n}` } }),
    );
  }
  await server.restart();
  const failed = await server.executions.get(running.id);
  assert.equal(failed?.status, 'failed');
  assert.equal(failed?.error, 'The server stopped while this execution was running');
  assert.ok(failed?.completedAt);
  assert.equal((await server.executions.page(running.id, {}))?.data, 'here\n');
  const ends = await Promise.all(queued.map(({ id }) => ended(server.executions, id)));
  assert.deepEqual(
    ends.map(({ result }) => result),
    ['"state0"', '"state1"', '"state2"', '"state3"', '"state4"'],
  );
  assert.deepEqual(
    ends.map(({ submittedAt }) => submittedAt),
    queued.map(({ submittedAt }) => submittedAt),
  );
  const { queuePosition: _, ...before } = done;
  const after = await server.store.executions.get(done.id);
  assert.deepEqual(after, before);
  const entries = await server.store.sessions.entries('restart', { limit: 100 });
  assert.deepEqual(
    entries.map(({ index }) => index),
    [0, 1, 2, 3, 4, 5, 6],
  );
  assert.equal(entries[1]?.outputHeap, null);
});

test('a server that stops takes nothing new, and lets what runs come to its end', async () => {
  const patient = await testServer({ engine: { size: 1 }, drainMs: 20_000 });
  const running = await underway(patient, {}, 'for (const end = Date.now() + 1500; Date.now() < end; ); "finished"');
  const queued = await patient.executions.submit({ code: '"later"' });
  const waiting = patient.executions.wait(queued.id, 60_000);
  const closing = patient.restart();
  await assert.rejects(patient.executions.submit({ code: '1' }), { code: 'closing' });
  assert.equal((await waiting)?.status, 'running');
  await closing;
  assert.equal((await patient.executions.get(running.id))?.result, '"finished"');
  assert.equal((await ended(patient.executions, queued.id)).result, '"later"');
});

test('who follows or waits for an execution that the server leaves is let go', async () => {
  const running = await underway(server);
  const following = (async () => {
    const kinds = [];
    for await (const event of server.executions.follow(running.id, 0, AbortSignal.timeout(30_000)))
      kinds.push(event.kind);
    return kinds;
  })();
  const waiting = server.executions.wait(running.id, 60_000);
  await server.executions.close();
  assert.deepEqual(await following, ['status', 'output']);
  assert.equal((await waiting)?.status, 'running');
  await server.restart();
  assert.equal((await server.executions.get(running.id))?.status, 'failed');
});
