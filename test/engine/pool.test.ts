import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Engine } from '../../src/engine/engine.ts';
import type { Outcome } from '../../src/engine/outcome.ts';
import { descriptors, exists, isLocked, underway, until } from './processes.ts';
import { heapOf, testEngine, valueText } from './steps.ts';

/** The process that served a small run, and the outcome of that. */
async function serve(engine: Engine): Promise<{ pid: number; outcome: Outcome }> {
  const run = await underway(engine, '1 + 1', { keepHeap: false });
  run.go();
  return { pid: run.pid, outcome: await run.outcome };
}

/** Waits for the process that comes in the place of a dead one. */
const replaced = (engine: Engine, gone: number, count: number) =>
  until(() => !engine.processIds.includes(gone) && engine.processIds.length === count, `${gone} was replaced`);

describe('a process is replaced', () => {
  test('after a time-out, and the next run is served by one that was started before that', async () => {
    const engine = testEngine({ size: 1, spares: 1 });
    for (let i = 0; i < 5; i++) {
      const doomed = await underway(engine, 'for (;;);', { timeoutMs: 700 });
      const started = engine.processIds;
      doomed.go();
      assert.deepEqual(await doomed.outcome, { kind: 'timed_out' });
      assert.ok(!exists(doomed.pid));
      const next = await serve(engine);
      assert.equal(valueText(next.outcome), '2');
      assert.notEqual(next.pid, doomed.pid);
      assert.ok(started.includes(next.pid), 'the next run waited for a process start');
    }
  });

  for (const signal of ['SIGKILL', 'SIGSEGV'] as const) {
    test(`after ${signal} in the middle of a run`, async () => {
      const engine = testEngine({ size: 1, spares: 1 });
      const doomed = await underway(engine, 'for (;;);');
      process.kill(doomed.pid, signal);
      const outcome = await doomed.outcome;
      assert.ok(outcome.kind === 'process_died', outcome.kind);
      // Node's own handler turns a fault into an abort.
      assert.ok(outcome.signal === signal || outcome.signal === 'SIGABRT', `${outcome.signal}`);
      await replaced(engine, doomed.pid, 2);
      for (let i = 0; i < 3; i++) assert.equal(valueText((await serve(engine)).outcome), '2');
    });
  }

  test('after SIGKILL while it was idle, and the run that comes in that moment is served', async () => {
    const engine = testEngine({ size: 1, spares: 1 });
    for (let i = 0; i < 3; i++) {
      const { pid } = await serve(engine);
      process.kill(pid, 'SIGKILL');
      assert.equal(valueText(await engine.run({ source: '1 + 1', keepHeap: false })), '2');
      await replaced(engine, pid, 2);
    }
  });

  test('after so many runs', async () => {
    const engine = testEngine({ size: 1, spares: 0, runsPerProcess: 3 });
    const pids: number[] = [];
    for (let i = 0; i < 6; i++) pids.push((await serve(engine)).pid);
    const [first, , , second] = pids;
    assert.notEqual(first, second);
    assert.deepEqual(pids, [first, first, first, second, second, second]);
  });

  test('after every run, where each has a process of its own', async () => {
    const engine = testEngine({ size: 1, spares: 1, isolation: 'process' });
    const pids = new Set<number>();
    for (let i = 0; i < 6; i++) pids.add((await serve(engine)).pid);
    assert.equal(pids.size, 6);
    await until(() => [...pids].every((pid) => !exists(pid)), 'those that served are gone');
  });
});

test('a process serves many runs where it is shared', async () => {
  const engine = testEngine({ size: 1, spares: 0 });
  const pids = new Set<number>();
  for (let i = 0; i < 6; i++) pids.add((await serve(engine)).pid);
  assert.equal(pids.size, 1);
});

test('every process is locked before it serves', async () => {
  const engine = testEngine({ size: 1, spares: 0 });
  const { pid } = await serve(engine);
  assert.ok(isLocked(pid));
});

test('runs start in the order in which they were asked for', async () => {
  const engine = testEngine({ size: 1, spares: 1 });
  const order: number[] = [];
  const first = await underway(engine, '1');
  const sources = Array.from({ length: 8 }, (_, i) => (i % 3 === 2 ? 'throw 1' : `${i}`));
  const rest = sources.map((source, i) => engine.run({ source, onStart: () => order.push(i), keepHeap: false }));
  await until(() => engine.waiting === 8, 'all wait');
  assert.deepEqual([engine.running, order.length], [1, 0]);
  first.go();
  await Promise.all([first.outcome, ...rest]);
  assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 6, 7]);
});

test('runs wait until their heap fits into the memory budget, and later ones do not overtake', async () => {
  const engine = testEngine({ size: 3, spares: 0, memoryBudgetMb: 300, maxHeapMb: 512 });
  const order: string[] = [];
  const started = (name: string) => () => order.push(name);
  const first = await underway(engine, '1', { heapMb: 128 });
  const second = await underway(engine, '1', { heapMb: 128 });
  const large = engine.run({ source: '1', heapMb: 200, onStart: started('large'), keepHeap: false });
  const small = engine.run({ source: '1', heapMb: 16, onStart: started('small'), keepHeap: false });
  await until(() => engine.waiting === 2, 'two wait');
  first.go();
  await first.outcome;
  assert.deepEqual([order, engine.running, engine.waiting], [[], 1, 2]);
  second.go();
  await Promise.all([large, small, second.outcome]);
  assert.deepEqual(order, ['large', 'small']);
});

test('a heap that can never fit is refused at once', async () => {
  const engine = testEngine({ size: 1, spares: 0, memoryBudgetMb: 64, maxHeapMb: 256 });
  await assert.rejects(engine.run({ source: '1', heapMb: 65 }), { code: 'over_memory_budget' });
  await assert.rejects(engine.run({ source: '1', heapMb: 257 }), { code: 'over_heap_limit' });
  assert.equal(valueText(await engine.run({ source: '1', heapMb: 64 })), '1');
});

test('the time-out counts the restore and the code, and not the queue', async () => {
  const engine = testEngine({ size: 1, spares: 1 });
  const source = 'const all = []; for (let i = 0; i < 2e5; i++) all.push({ i }); all.length';
  const heap = heapOf(await engine.run({ source, timeoutMs: 20_000 }));
  assert.deepEqual(await engine.run({ source: '1', heap, timeoutMs: 3 }), { kind: 'timed_out' });

  const first = await underway(engine, '1');
  const waiting = engine.run({ source: '1', timeoutMs: 300, keepHeap: false });
  const asked = performance.now();
  await until(() => performance.now() - asked > 400, 'it has waited for longer than its time-out');
  first.go();
  assert.equal(valueText(await waiting), '1');
});

test('processes come and go, and no descriptor stays', async () => {
  const engine = testEngine({ size: 1, spares: 1, isolation: 'process' });
  const settle = () => until(() => engine.processIds.length === 2 && engine.running === 0, 'all are there');
  await serve(engine);
  await settle();
  const before = descriptors();
  for (let i = 0; i < 15; i++) await engine.run({ source: '1', keepHeap: false });
  await settle();
  await until(() => descriptors() <= before, `there are ${before} descriptors again, not ${descriptors()}`);
});

describe('the second lane', () => {
  const blocked = (engine: Engine, lane: 'main' | 'side') => {
    const open = Promise.withResolvers<number>();
    const begun = Promise.withResolvers<void>();
    const call = () => {
      begun.resolve();
      return open.promise;
    };
    const functions = { wait: { mode: 'sync', call } } as const;
    const outcome = engine.run({ source: 'wait()', functions, keepHeap: false }, engine.reserve(16, undefined, lane));
    return { begun: begun.promise, go: () => open.resolve(1), outcome };
  };

  test('has places of its own: neither lane holds up the other', async () => {
    const engine = testEngine({ size: 1, sideSize: 2, spares: 0 });
    const main = blocked(engine, 'main');
    const sides = [blocked(engine, 'side'), blocked(engine, 'side'), blocked(engine, 'side')];
    await Promise.all([main.begun, sides[0]?.begun, sides[1]?.begun]);
    assert.deepEqual([engine.running, engine.waiting], [3, 1]);
    assert.deepEqual([engine.canStart(16, 'main'), engine.canStart(16, 'side')], [false, false]);
    main.go();
    assert.equal(valueText(await main.outcome), '1');
    assert.equal(valueText(await engine.run({ source: '2', keepHeap: false })), '2');
    for (const side of sides) side.go();
    for (const side of sides) assert.equal(valueText(await side.outcome), '1');
  });

  test('starts processes when they are needed, and keeps them', async () => {
    const engine = testEngine({ size: 1, sideSize: 3, spares: 0 });
    await serve(engine);
    assert.equal(engine.processIds.length, 1);
    const sides = [blocked(engine, 'side'), blocked(engine, 'side')];
    await Promise.all(sides.map(({ begun }) => begun));
    await until(() => engine.processIds.length === 3, 'two more were started');
    for (const side of sides) side.go();
    await Promise.all(sides.map(({ outcome }) => outcome));
    assert.equal(engine.processIds.length, 3);
  });

  test('shares the memory budget', async () => {
    const engine = testEngine({ size: 1, sideSize: 1, spares: 0, memoryBudgetMb: 24, maxHeapMb: 24 });
    const main = blocked(engine, 'main');
    await main.begun;
    const side = blocked(engine, 'side');
    assert.deepEqual([engine.running, engine.waiting], [1, 1]);
    main.go();
    side.go();
    assert.equal(valueText(await side.outcome), '1');
  });
});
