import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { HostFunctions } from '../../src/engine/host.ts';
import type { Outcome } from '../../src/engine/outcome.ts';
import { heapOf, testEngine, valueText } from './steps.ts';

const engine = testEngine();

/** An asynchronous host function that answers when the test says so. */
class Answers {
  readonly #answers: ((value: unknown) => void)[] = [];
  readonly #enough: { readonly count: number; readonly resolve: () => void }[] = [];
  readonly signals: AbortSignal[] = [];
  readonly functions: HostFunctions = {
    ask: {
      mode: 'async',
      call: (_args, signal) => {
        this.signals.push(signal);
        const { promise, resolve } = Promise.withResolvers<unknown>();
        this.#answers.push(resolve);
        for (const wait of this.#enough) if (this.#answers.length >= wait.count) wait.resolve();
        return promise;
      },
    },
    double: { mode: 'sync', call: ([n]) => Number(n) * 2 },
  };

  /** Resolves when so many calls have come; a run that ends without them fails the test. */
  asked(count: number, running: Promise<Outcome>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#enough.push({ count, resolve });
    if (this.#answers.length >= count) resolve();
    running.then((outcome) => reject(new Error(`the run ended early: ${JSON.stringify(outcome)}`)), reject);
    return promise;
  }

  answer(index: number, value: unknown): void {
    this.#answers[index]?.(value);
  }
}

describe('replies', () => {
  test('settle their own promise, in whatever order they come', async () => {
    const host = new Answers();
    const source = `const order = []; const calls = [0, 1, 2].map((i) => ask(i).then((v) => order.push(i + v))); await Promise.all(calls); order`;
    const running = engine.run({ source, functions: host.functions, keepHeap: false });
    await host.asked(3, running);
    for (const [index, value] of [
      [2, 'c'],
      [0, 'a'],
      [1, 'b'],
    ] as const) {
      host.answer(index, value);
      await setImmediate();
    }
    assert.equal(valueText(await running), '["2c","0a","1b"]');
  });

  test('that come while a synchronous call waits are not lost', async () => {
    const host = new Answers();
    const called = Promise.withResolvers<void>();
    const slow = Promise.withResolvers<unknown>();
    const call = () => {
      called.resolve();
      return slow.promise;
    };
    const wait = { mode: 'sync', call } as const;
    const source = 'const p = ask(); const q = ask(); const w = wait(); [w, await p, await q, double(2)]';
    const running = engine.run({ source, functions: { ...host.functions, wait }, keepHeap: false });
    await Promise.all([host.asked(2, running), called.promise]);
    host.answer(1, 'q');
    host.answer(0, 'p');
    await setImmediate();
    slow.resolve('w');
    assert.equal(valueText(await running), '["w","p","q",4]');
  });

  test('are waited for, though nobody awaits the call', async () => {
    const host = new Answers();
    const running = engine.run({ source: 'let got; ask().then((v) => { got = v }); 1', functions: host.functions });
    await host.asked(1, running);
    host.answer(0, 'late');
    const heap = heapOf(await running);
    assert.equal(valueText(await engine.run({ source: 'got', heap })), '"late"');
  });

  test('beyond the limit of pending calls are refused, and come back below it', async () => {
    const host = new Answers();
    const source = `const calls = Array.from({ length: 12 }, () => ask()); const some = await Promise.allSettled(calls.slice(10)); const first = await Promise.all(calls.slice(0, 10)); [some.map((s) => s.reason.name + ': ' + s.reason.message), first.length, await ask()]`;
    const running = engine.run({ source, functions: host.functions, maxPendingCalls: 10, keepHeap: false });
    await host.asked(10, running);
    for (let i = 0; i < 10; i++) host.answer(i, i);
    await host.asked(11, running);
    host.answer(10, 'again');
    const refusal = 'RangeError: Too many calls are pending';
    assert.deepEqual(JSON.parse(valueText(await running)), [[refusal, refusal], 10, 'again']);
  });

  for (const [how, source] of Object.entries({
    'a throw': 'ask(); throw new Error("over")',
    'a time-out': 'ask(); for (;;);',
    'a cancel': 'await ask()',
  })) {
    test(`after the end of the run by ${how} find nobody, and the call is told`, async () => {
      const host = new Answers();
      const abort = new AbortController();
      const timeoutMs = how === 'a time-out' ? 100 : 10_000;
      const running = engine.run({ source, functions: host.functions, signal: abort.signal, timeoutMs });
      await host.asked(1, running);
      const signal = host.signals[0];
      assert.ok(signal);
      const told = signal.aborted ? Promise.resolve() : once(signal, 'abort');
      if (how === 'a cancel') abort.abort();
      const outcome = await running;
      await told;
      assert.equal(outcome.kind, { 'a throw': 'failed', 'a time-out': 'timed_out', 'a cancel': 'cancelled' }[how]);
      host.answer(0, 'too late');
      await setImmediate();
      for (let i = 0; i < 3; i++) assert.equal(valueText(await engine.run({ source: '1 + 1' })), '2');
    });
  }
});
