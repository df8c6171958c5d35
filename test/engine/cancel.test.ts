import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { Engine } from '../../src/engine/engine.ts';
import { CayError } from '../../src/errors.ts';
import { children, descriptors, exists, ticksOf, underway, until } from './processes.ts';
import { testEngine, valueText } from './steps.ts';

describe('a cancelled run', () => {
  test('never starts while it waits', async () => {
    const engine = testEngine({ size: 1, spares: 0 });
    const first = await underway(engine, '1');
    const abort = new AbortController();
    let starts = 0;
    const request = { source: '1', signal: abort.signal, onStart: () => starts++ };
    const waiting = [engine.run(request), engine.run(request)];
    const last = engine.run({ source: '2', keepHeap: false });
    await until(() => engine.waiting === 3, 'all wait');
    abort.abort();
    assert.deepEqual(await Promise.all(waiting), [{ kind: 'cancelled' }, { kind: 'cancelled' }]);
    first.go();
    assert.equal(valueText(await last), '2');
    assert.equal(starts, 0);
    assert.ok(exists(first.pid), 'the process of another run was not harmed');
  });

  test('never starts when it was cancelled before it was asked for', async () => {
    const engine = testEngine({ size: 1, spares: 0 });
    let starts = 0;
    const signal = AbortSignal.abort();
    assert.deepEqual(await engine.run({ source: '1', signal, onStart: () => starts++ }), { kind: 'cancelled' });
    assert.equal(starts, 0);
  });

  test('is over when its process is gone', async () => {
    const engine = testEngine({ size: 1, spares: 1 });
    for (const source of ['for (;;);', 'await new Promise((r) => setTimeout(r, 1e6))']) {
      const abort = new AbortController();
      const run = await underway(engine, source, { signal: abort.signal });
      run.go();
      abort.abort();
      assert.deepEqual(await run.outcome, { kind: 'cancelled' });
      assert.ok(!exists(run.pid));
    }
  });

  test('stays cancelled in the moment in which it starts', async () => {
    const engine = testEngine({ size: 1, spares: 1 });
    for (let i = 0; i < 5; i++) {
      const abort = new AbortController();
      const onStart = () => abort.abort();
      const outcome = await engine.run({ source: 'for (;;);', signal: abort.signal, onStart, timeoutMs: 2000 });
      assert.deepEqual(outcome, { kind: 'cancelled' });
    }
  });

  test('stays cancelled when it was making its snapshot', async () => {
    const engine = testEngine({ size: 1, spares: 1 });
    const abort = new AbortController();
    const { promise: described, resolve } = Promise.withResolvers<void>();
    const functions = { described: { mode: 'sync', call: () => resolve() } } as const;
    const source = `const all = []; for (let i = 0; i < 4e5; i++) all.push({ i, f: () => i });
      ({ toJSON() { described(); return all.length } })`;
    const run = await underway(engine, source, { signal: abort.signal, functions, heapMb: 400, timeoutMs: 20_000 });
    run.go();
    await described;
    const before = ticksOf(run.pid);
    await until(() => ticksOf(run.pid) > before + 5, 'the snapshot is under way');
    abort.abort();
    assert.deepEqual(await run.outcome, { kind: 'cancelled' });
    assert.ok(!exists(run.pid));
    assert.equal(valueText(await engine.run({ source: '1', keepHeap: false })), '1');
  });

  test('is not touched by a cancel after its end, nor is the next one', async () => {
    const engine = testEngine({ size: 1, spares: 0 });
    const abort = new AbortController();
    assert.equal(valueText(await engine.run({ source: '1', signal: abort.signal, keepHeap: false })), '1');
    const next = await underway(engine, '2');
    abort.abort();
    next.go();
    assert.equal(valueText(await next.outcome), '2');
  });
});

describe('a closed engine', () => {
  test('leaves no process and no descriptor, ends what runs and refuses what waits', async () => {
    const childrenBefore = children().length;
    const before = descriptors();
    const engine = new Engine({ size: 2, spares: 2 });
    const running = [await underway(engine, 'for (;;);'), await underway(engine, 'for (;;);')];
    const waiting = Promise.allSettled([engine.run({ source: '1' }), engine.run({ source: '1' })]);
    await until(() => engine.waiting === 2, 'two wait');
    const pids = engine.processIds;
    assert.equal(pids.length, 4);
    await engine.close();
    for (const pid of pids) assert.ok(!exists(pid), `${pid} is left`);
    for (const run of running) assert.equal((await run.outcome).kind, 'process_died');
    for (const refusal of await waiting) {
      assert.ok(refusal.status === 'rejected' && refusal.reason instanceof CayError);
      assert.equal(refusal.reason.code, 'engine_closed');
    }
    await assert.rejects(engine.run({ source: '1' }), { code: 'engine_closed' });
    assert.deepEqual([engine.processIds, children().length], [[], childrenBefore]);
    await until(() => descriptors() <= before, 'the descriptors are closed');
  });

  test('leaves none of the processes that were just being started', async () => {
    const before = children().length;
    for (let i = 0; i < 3; i++) {
      const engine = new Engine({ size: 2, spares: 1 });
      await Promise.all([engine.close(), engine.close()]);
    }
    assert.equal(children().length, before);
  });

  test('is not needed: an idle engine does not keep its process from ending', async () => {
    const script = `import { Engine } from './src/engine/engine.ts'; console.log((await new Engine().run({ source: '6 * 7' })).value.text)`;
    const args = ['--input-type=module', '--eval', script];
    const child = spawn(process.execPath, args, { cwd: new URL('../../', import.meta.url) });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    assert.deepEqual(await once(child, 'close'), [0, null]);
    assert.equal(text, '42\n');
  });
});
