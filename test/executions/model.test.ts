import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { CancelAnswer } from '../../src/executions/types.ts';
import type { Execution } from '../../src/store/types.ts';
import { until } from '../engine/processes.ts';
import { ended, type TestServer, testServer } from './server.ts';

// Explores the life cycle: submissions of every kind, output, cancel, time-out, crash and restart, in any order.

const kinds = {
  quick: { code: '1 + 1', output: '', ends: 'completed' },
  printing: { code: 'for (let i = 0; i < 50; i++) console.log("é " + i)', output: lines(50), ends: 'completed' },
  throwing: { code: 'console.log("first"); throw new Error("no")', output: 'first\n', ends: 'failed' },
  timed: { code: 'console.log("on"); for (;;);', output: 'on\n', ends: 'timed_out' },
  endless: { code: 'console.log("on"); for (;;);', output: 'on\n', ends: null },
  chained: { code: 'globalThis.n = (globalThis.n ?? 0) + 1', output: '', ends: 'completed' },
} as const;
type Kind = keyof typeof kinds;

const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('submit'), kind: fc.constantFrom(...keys(kinds)) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('cancel'), which: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('settle'), which: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('read'), which: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart') }) },
);

/** What must be true of an execution, from what was done to it. */
interface Expected {
  readonly id: string;
  readonly kind: Kind;
  crashed: boolean;
  restarted: boolean;
  cancelled: boolean;
  /** As it was first seen ended; it must stay so. */
  end: Execution | null;
}

class Model {
  readonly all: Expected[] = [];
  readonly session: string;
  readonly server: TestServer;

  constructor(server: TestServer, session: string) {
    this.server = server;
    this.session = session;
  }

  async submit(kind: Kind): Promise<void> {
    const request = {
      code: kinds[kind].code,
      session: this.session,
      ...(kind === 'timed' ? { timeoutMs: 60 } : {}),
      ...(kind === 'chained' ? { heap: 'latest' } : {}),
    };
    const { id } = await this.server.executions.submit(request);
    this.all.push({ id, kind, crashed: false, restarted: false, cancelled: false, end: null });
  }

  async cancel(expected: Expected): Promise<void> {
    const answer: CancelAnswer = await this.server.executions.cancel(expected.id);
    await this.check(expected);
    if (answer.ok) {
      assert.equal(expected.end?.status, 'cancelled');
      expected.cancelled = true;
    } else {
      assert.equal(answer.error, `Execution '${expected.id}' is not running (status: ${expected.end?.status})`);
    }
  }

  async crash(): Promise<void> {
    for (const expected of this.all) if (!expected.end) expected.crashed = true;
    const { engine } = this.server;
    const killed = new Set(engine.processIds);
    for (const pid of killed) process.kill(pid, 'SIGKILL');
    await until(() => !engine.processIds.some((pid) => killed.has(pid)), 'the killed processes are gone');
  }

  async restart(): Promise<void> {
    for (const expected of this.all) if (!expected.end) expected.restarted = true;
    await this.server.restart();
  }

  /** What is true at any moment. */
  async check(expected: Expected): Promise<void> {
    const execution = await this.server.store.executions.get(expected.id);
    assert.ok(execution);
    const page = await this.server.executions.page(expected.id, { lineLimit: 10_000 });
    assert.ok(page && kinds[expected.kind].output.startsWith(page.data), 'output is never anything else');
    if (expected.end) return assert.deepEqual(execution, expected.end, 'what has ended does not change');
    if (execution.status === 'running') return;
    expected.end = execution;
    this.checkEnd(expected, execution, page.data);
  }

  checkEnd(expected: Expected, execution: Execution, output: string): void {
    const { kind, crashed, restarted } = expected;
    const { status, error } = execution;
    const { ends, output: whole } = kinds[kind];
    if (status === ends && error !== 'The server stopped while this execution was running') {
      if (status !== 'timed_out' && !(crashed && status === 'failed')) assert.equal(output, whole);
      // Killed while it made its heap: the value had left already.
      const lost = crashed && /could not be saved/.test(execution.heapError ?? '');
      if (status === 'completed' && !lost) assert.match(execution.outputHeap ?? '', /^[0-9a-f]{64}$/);
      return;
    }
    if (status === 'cancelled') assert.equal(error, 'Cancelled by user');
    else assert.equal(status, 'failed');
    if (status === 'cancelled') return;
    if (error === 'The server stopped while this execution was running') assert.ok(restarted);
    else assert.ok(crashed && /died|could not be started/.test(error ?? ''), `${kind}: ${error}`);
  }

  async finish(): Promise<void> {
    for (const expected of this.all) if (expected.kind === 'endless' && !expected.end) await this.cancel(expected);
    for (const expected of this.all) {
      await ended(this.server.executions, expected.id);
      await this.check(expected);
    }
    assert.deepEqual(this.server.executions.counts, { running: 0, queued: 0, unstored: 0 });
    const entries = await this.server.store.sessions.entries(this.session, { limit: 1000 });
    assert.deepEqual(
      entries.map(({ index }) => index),
      [...this.all.keys()],
      'one entry each, without gaps',
    );
  }
}

test('one terminal status, once, whatever races', async () => {
  const server = await testServer();
  let round = 0;
  const property = fc.asyncProperty(fc.array(action, { minLength: 2, maxLength: 14 }), async (actions) => {
    const model = new Model(server, `model ${round++}`);
    for (const step of actions) {
      const expected = 'which' in step ? model.all[step.which % Math.max(model.all.length, 1)] : undefined;
      if ('kind' in step) await model.submit(step.kind);
      else if (step.do === 'crash') await model.crash();
      else if (step.do === 'restart') await model.restart();
      else if (expected && step.do === 'cancel') await model.cancel(expected);
      else if (expected && step.do === 'settle' && expected.kind !== 'endless') {
        const blocked = model.all.some(({ kind, end }) => kind === 'endless' && !end);
        if (!blocked) await ended(server.executions, expected.id);
      }
      for (const known of model.all) await model.check(known);
    }
    await model.finish();
  });
  await fc.assert(property, { numRuns: Number(process.env.CAY_MODEL_RUNS ?? 25), endOnFailure: true });
});

function lines(count: number): string {
  return Array.from({ length: count }, (_, index) => `é ${index}\n`).join('');
}

function keys<T extends object>(object: T): (keyof T)[] {
  return Object.keys(object).filter((key): key is Extract<keyof T, string> => key in object);
}
