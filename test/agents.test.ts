import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { replay } from '../bench/agents/replay.ts';
import { callCost } from '../bench/agents/report.ts';
import { tasks } from '../bench/agents/tasks.ts';
import { openWorld } from '../bench/agents/world.ts';

const world = await openWorld();
test.after(() => world.close());

test('there are 30 tasks, each with a title of its own', () => {
  assert.equal(new Set(tasks.map(({ title }) => title)).size, 30);
});

describe('an agent gets to the end in the calls that were expected, and is told what to do', { concurrency: 4 }, () => {
  for (const task of tasks) {
    test(`${task.title}: ${task.calls} calls`, async () => {
      const { calls, failure } = await replay(task, world);
      assert.equal(failure, null);
      assert.ok(calls.length <= task.calls, `${calls.length} calls`);
      const silent = calls.filter(({ missing }) => missing.length > 0);
      assert.deepEqual(silent, []);
      assert.ok(!task.clumsy || calls.some(({ named }) => named > 0), 'nothing is expected of the answers');
    });
  }
});

test('a trivial run_js costs at most 150 tokens, in and out', async () => {
  const trivial = tasks.find(({ title }) => title === 'adds two numbers');
  assert.ok(trivial);
  // Ids and heap keys are random, and no two cost the same.
  const costs: number[] = [];
  for (let i = 0; i < 5; i++) {
    costs.push(callCost(await replay(trivial, world)));
  }
  const median = costs.toSorted((a, b) => a - b)[2] ?? Number.NaN;
  assert.ok(median <= 150, `${costs} tokens`);
});
