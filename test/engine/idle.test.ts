import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from './processes.ts';
import { testEngine, valueText } from './steps.ts';

const large = 'const all = []; for (let i = 0; i < 3e5; i++) all.push({ i, text: `x${i}` }); all.length';

test('a process that keeps the memory of a large run is replaced when it has been idle for a while', async () => {
  const engine = testEngine({ size: 1, spares: 0 });
  assert.equal(valueText(await engine.run({ source: large, keepHeap: false, heapMb: 256 })), '300000');
  const [used] = engine.processIds;
  await until(() => engine.processIds.length === 1 && engine.processIds[0] !== used, 'it was replaced');
  assert.equal(valueText(await engine.run({ source: '1 + 1', keepHeap: false })), '2');
});

test('one that has served small runs only stays', async () => {
  const engine = testEngine({ size: 1, spares: 0 });
  for (let i = 0; i < 50; i++) await engine.run({ source: 'var n = 1' });
  const [used] = engine.processIds;
  await new Promise((resolve) => setTimeout(resolve, 7000)); // two looks
  assert.deepEqual(engine.processIds, [used]);
});
