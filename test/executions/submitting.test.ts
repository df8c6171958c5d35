import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CayError } from '../../src/errors.ts';
import type { SubmitRequest } from '../../src/executions/types.ts';
import { ended, testServer, underway } from './server.ts';

const server = await testServer({
  engine: { size: 1, memoryBudgetMb: 400 },
  limits: { maxQueued: 3, timeoutMsLimit: 60_000 },
});
const { executions } = server;

describe('refused, and nothing is stored', () => {
  const many = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`key ${index}`, '']));
  const refused: [string, SubmitRequest, code: string, message: string][] = [
    [
      'a heap cap below 8 MB',
      { code: '1', heapMb: 7 },
      'invalid_argument',
      'Expected heap_memory_max_mb to be an integer from 8 to 4096, got 7',
    ],
    [
      'a heap cap above 4,096 MB',
      { code: '1', heapMb: 4097 },
      'invalid_argument',
      'Expected heap_memory_max_mb to be an integer from 8 to 4096, got 4097',
    ],
    [
      'a heap cap above the ceiling',
      { code: '1', heapMb: 401 },
      'over_limit',
      'heap_memory_max_mb: 401 MB is above the limit of 400 MB (--memory-budget)',
    ],
    [
      'a time-out of nothing',
      { code: '1', timeoutMs: 0 },
      'invalid_argument',
      'Expected execution_timeout_secs to be above 0, got 0',
    ],
    [
      'a time-out above the ceiling',
      { code: '1', timeoutMs: 61_000 },
      'over_limit',
      'execution_timeout_secs: 61 s is above the limit of 60 s (--execution-timeout-limit)',
    ],
    [
      'too much code',
      { code: ' '.repeat(16 * 2 ** 20 + 1) },
      'too_large',
      'code: expected at most 16 MiB, got 16777217 bytes',
    ],
    ['too many tags', { code: '1', tags: many }, 'invalid_argument', 'tags: expected at most 64 tags, got 65'],
    [
      'a tag that is too long',
      { code: '1', tags: { k: 'x'.repeat(257) } },
      'invalid_argument',
      'tags: expected keys and values of at most 256 characters, got 257',
    ],
    [
      'a session without a name',
      { code: '1', session: '' },
      'invalid_argument',
      'Expected session to be a name of 1 to 256 characters, got 0 characters',
    ],
  ];
  for (const [name, request, code, message] of refused) {
    test(name, async () => {
      await assert.rejects(executions.submit(request), new CayError(code, message));
      assert.deepEqual(await executions.list(), []);
    });
  }
});

test('past the concurrent ones they wait in order, and past the longest queue they are refused', async () => {
  const running = await underway(server);
  assert.equal((await executions.get(running.id))?.queuePosition, null);
  const waiting = [];
  for (const n of [1, 2, 3]) waiting.push(await executions.submit({ code: `${n}` }));
  for (const [index, { id }] of waiting.entries()) {
    const view = await executions.get(id);
    assert.deepEqual([view?.status, view?.queuePosition, view?.started], ['running', index + 1, false]);
  }
  assert.deepEqual(executions.counts, { running: 1, queued: 3, unstored: 0 });
  await assert.rejects(
    executions.submit({ code: '4' }),
    new CayError('queue_full', '3 executions are waiting already: try again later'),
  );
  assert.deepEqual(await executions.cancel(running.id), { ok: true });
  const ends = await Promise.all(waiting.map(({ id }) => ended(executions, id)));
  assert.deepEqual(
    ends.map(({ result }) => result),
    ['1', '2', '3'],
  );
  const times = ends.map(({ completedAt }) => completedAt);
  assert.deepEqual(times, times.toSorted());
});

test('a heap of a live execution is waited for when its id is given', async () => {
  const running = await executions.submit({ code: 'let slow = 0; while (slow < 1e8) slow++; slow' });
  const next = await executions.submit({ code: 'slow + 1', heap: running.id });
  assert.equal((await ended(executions, next.id)).result, '100000001');
});

test('those that wait keep their large sources on disk, and run them', async () => {
  const running = await underway(server);
  const large = await executions.submit({ code: `"${'é'.repeat(100_000)}".length`, input: 'x'.repeat(100_000) });
  await executions.cancel(running.id);
  assert.equal((await ended(executions, large.id)).result, '100000');
});
