import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listSessions, listSnapshots } from '../../src/sessions/sessions.ts';
import { heapOf, runToEnd, testServer } from '../executions/server.ts';

const server = await testServer();
const { sessions } = server.store;

test('every execution of a session is one entry when it ends, also a failed one', async () => {
  const first = await runToEnd(server, { code: 'let a = 1', session: 'log' });
  await runToEnd(server, { code: 'throw new Error("no")', session: 'log', heap: heapOf(first) });
  const third = await runToEnd(server, { code: 'a + 1', session: 'log', heap: 'latest' });
  const entries = await listSnapshots(sessions, 'log');
  assert.deepEqual(
    entries.map(({ index }) => index),
    [0, 1, 2],
  );
  assert.deepEqual(
    entries.map(({ code }) => code),
    ['let a = 1', 'throw new Error("no")', 'a + 1'],
  );
  assert.deepEqual(
    entries.map(({ inputHeap }) => inputHeap),
    [null, first.outputHeap, first.outputHeap],
  );
  assert.deepEqual(
    entries.map(({ outputHeap }) => outputHeap),
    [first.outputHeap, null, third.outputHeap],
  );
  assert.equal(third.result, '2');
  assert.ok(entries.every(({ timestamp }) => typeof timestamp === 'number'));
});

test('only the fields that are asked for come, spaces or not', async () => {
  const [entry] = await listSnapshots(sessions, 'log', { fields: 'index, output_heap' });
  assert.deepEqual(Object.keys(entry ?? {}), ['index', 'outputHeap']);
  const [coded] = await listSnapshots(sessions, 'log', { fields: 'code' });
  assert.deepEqual(coded, { code: 'let a = 1' });
  assert.deepEqual(await listSnapshots(sessions, 'log', { fields: ' ' }), await listSnapshots(sessions, 'log'));
  await assert.rejects(listSnapshots(sessions, 'log', { fields: 'index,heap' }), {
    code: 'invalid_argument',
    message: 'fields: expected names among index, input_heap, output_heap, code, timestamp, got "heap"',
  });
});

test('offset and limit choose entries; without an offset they are the newest', async () => {
  const indexes = async (query: { offset?: number; limit?: number }) =>
    (await listSnapshots(sessions, 'log', { ...query, fields: 'index' })).map(({ index }) => index);
  assert.deepEqual(await indexes({ limit: 2 }), [1, 2]);
  assert.deepEqual(await indexes({ offset: 0, limit: 2 }), [0, 1]);
  assert.deepEqual(await indexes({ offset: 2 }), [2]);
  assert.deepEqual(await indexes({ offset: 9 }), []);
  await assert.rejects(indexes({ limit: 0 }), { code: 'invalid_argument' });
  await assert.rejects(indexes({ offset: -1 }), { code: 'invalid_argument' });
});

test('reading creates nothing', async () => {
  assert.deepEqual(await listSnapshots(sessions, 'nobody'), []);
  assert.deepEqual(await listSessions(sessions), ['log']);
});
