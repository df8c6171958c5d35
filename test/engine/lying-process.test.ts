import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { loadBuild } from '../../src/engine/build.ts';
import { Engine } from '../../src/engine/engine.ts';
import { RunConversation } from '../../src/engine/process/conversation.ts';
import { IsolateProcess } from '../../src/engine/process/isolate-process.ts';
import { valueText } from './steps.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const boot = join(import.meta.dirname, 'lying-process.cjs');

interface Lied {
  readonly isolate: IsolateProcess;
  readonly outcome: Awaited<ReturnType<RunConversation['start']>>;
  readonly calls: number;
}

async function runWithLiar(lie: string, keepHeap = true, heap: Uint8Array | null = null): Promise<Lied> {
  const build = { ...loadBuild(), launcher: null, flags: [], boot, addon: lie };
  const isolate = new IsolateProcess({ build, jitOffset: -1, maxHeapMb: 64 });
  after(() => isolate.kill());
  await isolate.ready;
  let calls = 0;
  const pay = { mode: 'async' as const, call: () => new Promise(() => calls++) };
  const conversation = new RunConversation(isolate, {
    fields: {
      heapCapBytes: 2 ** 26,
      maxOutputBytes: 1000,
      maxResultBytes: 1000,
      maxPendingCalls: 5,
      maxCallBytes: 1000,
      keepHeap,
      config: '{}',
      source: '1',
    },
    heap,
    timeoutMs: 1000,
    snapshotTimeoutMs: 1000,
    functions: { pay },
    onConsole: () => {},
  });
  return { isolate, outcome: await conversation.start(), calls };
}

describe('a process that lies is ended, and nothing of it is believed', () => {
  const ended = [
    'repeats a call',
    'makes one call too many',
    'sends a heap before its outcome',
    'announces a console frame beyond its limit',
    'sends console frames without text',
    'sends a frame that there is not',
  ];
  for (const lie of ended) {
    test(lie, async () => {
      const { outcome, isolate, calls } = await runWithLiar(lie);
      assert.ok(outcome.kind === 'process_died', JSON.stringify(outcome));
      assert.match(outcome.message, /sent a frame|console frame/);
      assert.equal((await isolate.died).signal, 'SIGKILL');
      assert.ok(calls <= 5, `${calls} calls were made`);
    });
  }

  test('answers before it has read its heap', async () => {
    const { outcome, isolate } = await runWithLiar('answers before it has read its heap', false, Buffer.alloc(2 ** 24));
    assert.ok(outcome.kind === 'process_died', JSON.stringify(outcome));
    assert.match(outcome.message, /before it had read its run/);
    assert.equal((await isolate.died).signal, 'SIGKILL');
  });

  test('an outcome that is repeated does not put off the end', async () => {
    const { outcome } = await runWithLiar('repeats an outcome');
    assert.ok(outcome.kind === 'completed');
    assert.match(outcome.heapError ?? '', /sent a frame after its outcome/);
  });

  test('one that says nothing is timed out', async () => {
    assert.deepEqual((await runWithLiar('says nothing')).outcome, { kind: 'timed_out' });
  });

  test('a run that was sent to one that leaves without reading it can be tried elsewhere', async () => {
    assert.equal((await runWithLiar('leaves')).outcome.kind, 'not_started');
  });

  test('one that has read the run and leaves in silence died of it', async () => {
    assert.equal((await runWithLiar('leaves in silence')).outcome.kind, 'process_died');
  });

  test('times that are none are zero', async () => {
    const { outcome } = await runWithLiar('has spent no number of milliseconds', false);
    assert.ok(outcome.kind === 'completed');
    assert.equal(outcome.times.restore, 0);
  });

  test('one that talks while nobody asked is ended before the next run', async () => {
    const { isolate, outcome } = await runWithLiar('talks after its end', false);
    assert.equal(outcome.kind, 'completed');
    assert.match((await isolate.died).fatal?.text ?? '', /sent a frame|spoke/);
    assert.equal(isolate.usable, false);
  });
});

describe('a caller who asks wrongly', () => {
  const engine = new Engine({ size: 1 });
  after(() => engine.close());
  const wrong = {
    'a result limit of 4 GB': { maxResultBytes: 2 ** 32 },
    'a heap of a tenth of a megabyte': { heapMb: 0.1 },
    'endless output': { maxOutputBytes: Number.POSITIVE_INFINITY },
    'a time-out beyond what timers know': { timeoutMs: 2 ** 31 },
    'a heap without bytes': { heap: new Uint8Array(0) },
    'a heap above the limit': { heapMb: 100_000 },
  };
  for (const [name, request] of Object.entries(wrong)) {
    test(`${name} is refused, and the next run has its slot`, async () => {
      await assert.rejects(engine.run({ source: '1', ...request }), { name: 'CayError' });
      assert.equal(valueText(await engine.run({ source: '1 + 1' })), '2');
      assert.equal(engine.running, 0);
    });
  }

  test('an input that is no JSON, or a hook that throws, costs no slot', async () => {
    await assert.rejects(engine.run({ source: '1', input: { big: 1n } }));
    await assert.rejects(
      engine.run({
        source: '1',
        onStart: () => {
          throw new Error('mine');
        },
      }),
      { message: 'mine' },
    );
    assert.equal(valueText(await engine.run({ source: '1 + 1' })), '2');
  });
});

test('a finished run is not kept by its process', async () => {
  const engine = new Engine({ size: 1 });
  try {
    const used = () => process.memoryUsage().arrayBuffers / 2 ** 20;
    const source = 'const bytes = new Uint8Array(4 * 2 ** 20).fill(3); 1';
    await engine.run({ source });
    collect();
    const before = used();
    for (let i = 0; i < 40; i++) await engine.run({ source });
    collect();
    assert.ok(used() - before < 60, `${before} MB, then ${used()} MB`);
  } finally {
    await engine.close();
  }
});

test('what one run leaves in malloc does not end the next', async () => {
  const engine = new Engine({ size: 1, spares: 0 });
  try {
    const large = 'const all = []; for (let i = 0; i < 3000; i++) all.push(new Uint8Array(60_000).fill(1)); all.length';
    for (let i = 0; i < 3; i++) {
      assert.equal(valueText(await engine.run({ source: large, heapMb: 512, keepHeap: false })), '3000');
      assert.equal(valueText(await engine.run({ source: '1 + 1', heapMb: 16 })), '2');
    }
  } finally {
    await engine.close();
  }
});
