import assert from 'node:assert/strict';
import { test } from 'node:test';
import { underway, until } from './processes.ts';
import { testEngine, valueText } from './steps.ts';

const large = 'const all = []; for (let i = 0; i < 3e5; i++) all.push({ i, text: `x${i}` }); all.length';

test('a process that keeps the memory of a large run is replaced when it has been idle for a while, no other', async () => {
  const engine = testEngine({ size: 2, spares: 0 });
  const run = await underway(engine, large, { keepHeap: false, heapMb: 256 });
  const [other] = engine.processIds.filter((pid) => pid !== run.pid);
  for (let i = 0; i < 50; i++) await engine.run({ source: 'var n = 1' });
  run.go(); // last: what looks at idle processes finds the other one idle for longer
  assert.equal(valueText(await run.outcome), '300000');
  await until(() => engine.processIds.length === 2 && !engine.processIds.includes(run.pid), 'it was replaced');
  assert.ok(other !== undefined && engine.processIds.includes(other), 'the other one was replaced as well');
  assert.equal(valueText(await engine.run({ source: '1 + 1', keepHeap: false })), '2');
});
