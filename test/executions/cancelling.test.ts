import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exists } from '../engine/processes.ts';
import { ended, runToEnd, testServer, underway } from './server.ts';

const server = await testServer({ engine: { size: 1, spares: 0 } });
const { executions, engine } = server;

test('after ok its process is gone, and it stays cancelled', async () => {
  const running = await underway(server);
  const [pid = 0] = engine.processIds;
  assert.deepEqual(await executions.cancel(running.id), { ok: true });
  assert.ok(!exists(pid));
  const execution = await executions.get(running.id);
  assert.deepEqual([execution?.status, execution?.error], ['cancelled', 'Cancelled by user']);
  assert.deepEqual([execution?.result, execution?.outputHeap], [null, null]);
  assert.equal((await executions.page(running.id, {}))?.data, 'here\n');
});

test('one that waits never starts', async () => {
  const running = await underway(server);
  const submitted = [];
  for (let n = 0; n < 5; n++) submitted.push(await executions.submit({ code: 'console.log("ran")' }));
  for (const { id } of submitted) assert.deepEqual(await executions.cancel(id), { ok: true });
  await executions.cancel(running.id);
  await runToEnd(server, '1');
  for (const { id } of submitted) {
    assert.deepEqual([(await executions.get(id))?.status, (await executions.page(id, {}))?.data], ['cancelled', '']);
  }
});

test('what has ended, and what never was, is not cancelled', async () => {
  const { id } = await runToEnd(server, '1');
  const error = `Execution '${id}' is not running (status: completed)`;
  assert.deepEqual(await executions.cancel(id), { ok: false, code: 'not_running', error });
  assert.equal((await executions.get(id))?.status, 'completed');
  const unknown = await executions.cancel('nobody');
  assert.deepEqual(unknown, { ok: false, code: 'not_found', error: "Execution 'nobody' not found" });
});

test('cancel races with the end: one status, once, and the answer agrees with it', async () => {
  for (let round = 0; round < 20; round++) {
    const { id } = await executions.submit({ code: `for (let i = 0; i < ${round * 20_000}; i++); 1` });
    const answers = await Promise.all([executions.cancel(id), executions.cancel(id)]);
    const execution = await ended(executions, id);
    for (const answer of answers) {
      if (answer.ok) assert.equal(execution.status, 'cancelled');
      else assert.equal(answer.error, `Execution '${id}' is not running (status: ${execution.status})`);
    }
    assert.deepEqual(await executions.get(id), execution);
  }
});

test('a process that is killed fails its own execution only', async () => {
  const running = await underway(server);
  const waiting = await executions.submit({ code: '2' });
  for (const pid of engine.processIds) process.kill(pid, 'SIGKILL');
  const failed = await ended(executions, running.id);
  assert.equal(failed.status, 'failed');
  assert.match(failed.error ?? '', /died.*SIGKILL/);
  assert.equal((await ended(executions, waiting.id)).result, '2');
});

test('what runs once is cancelled when its time is up, the queue included, and what it printed is returned', async () => {
  const options = { signal: new AbortController().signal, onLine: null };
  const running = await underway(server);
  const queued = await executions.runOnce({ code: 'console.log("never")' }, { ...options, milliseconds: 100 });
  assert.deepEqual([queued.late, queued.output, queued.status], [true, '', 'cancelled']);
  await executions.cancel(running.id);
  const code = 'console.log("on"); for (;;);';
  const late = await executions.runOnce({ code }, { ...options, milliseconds: 1000 });
  assert.deepEqual([late.late, late.output, late.status], [true, 'on\n', 'cancelled']);
  const intime = await executions.runOnce({ code: '7' }, { ...options, milliseconds: 60_000 });
  assert.deepEqual([intime.late, intime.result], [false, '7']);
});
