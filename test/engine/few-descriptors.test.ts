import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { loadBuild } from '../../src/engine/build.ts';
import { ProcessPool } from '../../src/engine/pool.ts';
import { descriptors } from './processes.ts';

test('an engine without descriptors refuses runs and says why, and goes on when there are some again', async () => {
  const program = join(import.meta.dirname, 'faults/few-descriptors.ts');
  const command = ['-c', 'ulimit -n 96; exec "$@"', 'sh', process.execPath, program];
  const { stdout } = await promisify(execFile)('sh', command, { timeout: 45_000 });
  const { answers, unhandled } = JSON.parse(stdout);
  assert.deepEqual(unhandled, []);
  assert.equal(answers.length, 6);
  for (const { left, starved, later, leaked } of answers) {
    assert.deepEqual([later, leaked], [['2', '2'], 0], `with ${left} descriptors`);
    for (const answer of starved) assert.match(answer, reason, `with ${left} descriptors`);
  }
  assert.ok(
    answers[0].starved.every((answer: string) => answer !== '2'),
    'it ran without a descriptor',
  );
});

/** With a few there is room for one process, which serves all. */
const reason = /^2$|no descriptor is left.*: raise `ulimit -n`/i;

test('a process that the system refuses to start leaves nothing behind', async () => {
  const before = descriptors();
  const flags = ['x'.repeat(300_000)]; // longer than an argument may be: `spawn` throws, as it does without memory
  const pool = new ProcessPool({
    build: { ...loadBuild(), flags },
    maxHeapMb: 64,
    jitOffset: -1,
    size: 2,
    sideSize: 1,
    spares: 1,
    runsPerProcess: 1,
    memoryBudgetMb: 64,
  });
  const refusals = await Promise.allSettled([pool.acquire(16, 'main'), pool.acquire(16, 'side')]);
  for (const refusal of refusals) {
    assert.ok(refusal.status === 'rejected');
    assert.equal(refusal.reason.code, 'process_not_started');
    assert.match(refusal.reason.message, /E2BIG/);
  }
  await assert.rejects(pool.acquire(16, 'main'), { code: 'process_not_started' }); // at once, and not when a timer ends
  assert.deepEqual([pool.processIds, pool.waiting, pool.running], [[], 0, 0]);
  await pool.close();
  assert.equal(descriptors(), before);
});
