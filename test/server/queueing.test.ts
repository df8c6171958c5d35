import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { wholeFile } from '../cleanup.ts';
import { call, httpClient, refused, startServer } from './running.ts';

const file = wholeFile();
let client: Client;
before(async () => {
  const args = ['--max-concurrent-executions', '1', '--heap-memory-limit', '64', '--execution-timeout-limit', '9'];
  client = await httpClient(file, (await startServer(file, { args })).url);
});

const never = 'while (true);';
const submit = async (given: Record<string, unknown>, one = client) =>
  String((await call(one, 'run_js', given)).execution_id);
const get = (execution_id: string, one = client) => call(one, 'get_execution', { execution_id });

test('past the concurrent ones they wait in order, running for everyone, and say where', async () => {
  const first = await submit({ code: never });
  const waiting = [await submit({ code: '1' }), await submit({ code: '2' }), await submit({ code: '3' })];
  for (const [index, id] of waiting.entries()) {
    const { status, queue_position, completed_at, duration_ms, heap } = await get(id);
    assert.deepEqual(
      [status, queue_position, completed_at, duration_ms, heap],
      ['running', index + 1, null, null, null],
    );
  }
  assert.equal((await get(first)).queue_position, null);
  const before = await get(waiting[2] ?? '');
  assert.deepEqual(await call(client, 'cancel_execution', { execution_id: waiting[0] }), { ok: true });
  assert.equal((await get(waiting[1] ?? '')).queue_position, 1);
  assert.deepEqual(await call(client, 'cancel_execution', { execution_id: first }), { ok: true });
  const last = await call(client, 'run_js', { code: '4', wait_secs: 30 });
  const ended = await get(waiting[2] ?? '');
  assert.equal(ended.started_at, before.started_at, 'started_at never changes');
  assert.deepEqual([ended.result, ended.queue_position, last.result], ['3', null, '4']);
  const never_ran = await get(waiting[0] ?? '');
  assert.deepEqual([never_ran.status, never_ran.error], ['cancelled', 'Cancelled by user']);
});

test('the time-out and duration_ms do not count the queue', async () => {
  const first = await submit({ code: 'await new Promise((r) => setTimeout(r, 1300))' });
  const quick = await call(client, 'run_js', { code: '5', execution_timeout_secs: 1, wait_secs: 30 });
  assert.deepEqual([quick.status, quick.result], ['completed', '5']);
  assert.ok(Number(quick.duration_ms) < 1000, `${quick.duration_ms}`);
  assert.ok(Date.parse(String(quick.completed_at)) - Date.parse(String(quick.started_at)) > 1000);
  assert.ok(Number((await get(first)).duration_ms) >= 1290);
});

test('the ceilings of the owner, at their edges', async () => {
  const message = (given: Record<string, unknown>) => refused(client, 'run_js', { code: '1', ...given });
  assert.equal(
    await message({ heap_memory_max_mb: 65 }),
    'heap_memory_max_mb: 65 MB is above the limit of 64 MB (--heap-memory-limit)',
  );
  assert.equal(
    await message({ execution_timeout_secs: 10 }),
    'execution_timeout_secs: 10 s is above the limit of 9 s (--execution-timeout-limit)',
  );
  const allowed = [
    { heap_memory_max_mb: 8, execution_timeout_secs: 1 },
    { heap_memory_max_mb: 64, execution_timeout_secs: 9, wait_secs: 60 },
  ];
  for (const given of allowed) {
    assert.equal((await call(client, 'run_js', { code: '1', wait_secs: 30, ...given })).status, 'completed');
  }
});

test('the sum of running heaps stays within the budget: a run waits until it fits', async (t) => {
  const args = ['--max-concurrent-executions', '4', '--memory-budget', '100', '--heap-memory-max', '64'];
  const small = await httpClient(t, (await startServer(t, { args })).url);
  const first = await submit({ code: `console.log('on'); ${never}` }, small);
  const second = await submit({ code: '"ran"' }, small);
  const { output } = await call(small, 'run_js', { code: 'console.log(1)', heap_memory_max_mb: 8, wait_secs: 1 });
  assert.equal(Object(output).data, '', 'in order: what would fit does not overtake');
  assert.equal((await get(second, small)).queue_position, 1);
  await call(small, 'cancel_execution', { execution_id: first });
  const { result } = await call(small, 'run_js', { code: '"last"', wait_secs: 30 });
  assert.deepEqual([result, (await get(second, small)).result], ['"last"', '"ran"']);
  assert.equal(
    await refused(small, 'run_js', { code: '', heap_memory_max_mb: 101 }),
    'heap_memory_max_mb: 101 MB is above the limit of 100 MB (--memory-budget)',
  );
});
