import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ended, heapOf, runToEnd, testServer } from './server.ts';

const started: string[] = [];
const server = await testServer({
  engine: { size: 2 },
  wrap: (store) => ({
    ...store,
    executions: {
      ...store.executions,
      add: (submission, now) => {
        if (now) started.push(submission.id);
        return store.executions.add(submission, now);
      },
      start: (id) => {
        started.push(id);
        return store.executions.start(id);
      },
    },
  }),
});
const { executions } = server;

test('executions start in the order of submission, whatever their sources and heaps cost', async () => {
  const heap = heapOf(await runToEnd(server, 'globalThis.big = new Uint8Array(20e6).map((_, i) => i * 7); 1'));
  started.length = 0;
  const requests = Array.from({ length: 24 }, (_, index) => {
    if (index % 4 === 0) return { code: `enum Colour { Red = ${index} } Colour.Red as number` };
    if (index % 4 === 1) return { code: 'big.length', heap };
    return { code: `${index}` };
  });
  const submitted = await Promise.all(requests.map((request) => executions.submit(request)));
  for (const { id } of submitted) assert.equal((await ended(executions, id)).status, 'completed');
  assert.deepEqual(
    started,
    submitted.map(({ id }) => id),
  );
  const sequences = submitted.map(({ sequence }) => sequence);
  assert.deepEqual(
    sequences,
    sequences.toSorted((a, b) => a - b),
  );
});

test('those of a session that ask for latest run one after the other, each on what the one before left', async () => {
  await runToEnd(server, { code: 'let n = 0', session: 'counter' });
  const step = { code: 'for (let i = 0; i < 1e6; i++); ++n', heap: 'latest', session: 'counter' };
  const submitted = await Promise.all(Array.from({ length: 12 }, () => executions.submit(step)));
  const results = await Promise.all(submitted.map(async ({ id }) => (await ended(executions, id)).result));
  assert.deepEqual(
    results,
    Array.from({ length: 12 }, (_, index) => `${index + 1}`),
  );
});

test('a session whose latest waits does not hold up others', async () => {
  const slow = await executions.submit({ code: 'for (;;);', heap: 'latest', session: 'slow', timeoutMs: 20_000 });
  const after = [];
  for (let i = 0; i < 5; i++) after.push(await executions.submit({ code: '1', heap: 'latest', session: 'slow' }));
  assert.equal((await runToEnd(server, '"other"')).result, '"other"');
  assert.equal((await executions.get(after[0]?.id ?? ''))?.queuePosition, 1);
  await executions.cancel(after[1]?.id ?? '');
  await executions.cancel(slow.id);
  const statuses = await Promise.all(after.map(async ({ id }) => (await ended(executions, id)).status));
  assert.deepEqual(statuses, ['completed', 'cancelled', 'completed', 'completed', 'completed']);
});

test('lists are newest first, by status, limit and cursor', async () => {
  const all = await executions.list();
  const sequences = all.map(({ sequence }) => sequence);
  assert.deepEqual(
    sequences,
    sequences.toSorted((a, b) => b - a),
  );
  assert.equal(new Set(sequences).size, all.length);
  const [first, second] = await executions.list({ limit: 2 });
  assert.deepEqual([first?.sequence, second?.sequence], [sequences[0], sequences[1]]);
  assert.equal((await executions.list({ limit: 1, before: first?.sequence ?? 0 }))[0]?.sequence, sequences[1]);
  const cancelled = await executions.list({ status: 'cancelled' });
  assert.deepEqual(new Set(cancelled.map(({ status }) => status)), new Set(['cancelled']));
  await assert.rejects(executions.list({ limit: 0 }), { code: 'invalid_argument' });
});

test('300 at once all end, and the queue is empty again', async () => {
  const submitted = await Promise.all(Array.from({ length: 300 }, (_, n) => executions.submit({ code: `${n}` })));
  const results = await Promise.all(submitted.map(async ({ id }) => (await ended(executions, id)).result));
  assert.deepEqual(
    results,
    Array.from({ length: 300 }, (_, n) => `${n}`),
  );
  assert.deepEqual(executions.counts, { running: 0, queued: 0, unstored: 0 });
});
