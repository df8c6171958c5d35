import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Execution } from '../../src/store/types.ts';
import { Random } from '../engine/fuzz/random.ts';
import { exists } from '../engine/processes.ts';
import { testSeed } from '../engine/seed.ts';
import { ended, heapOf, runToEnd, type TestServer, testServer } from '../executions/server.ts';

/** The full counts come with CAY_FAULTS_SHARE=1. */
const kills = Math.max(1, Math.round(200 * Number(process.env.CAY_FAULTS_SHARE ?? 0.1)));
const random = new Random(testSeed());
const killed = 'The isolate process died: it was ended by SIGKILL';
/** Told to all who wait when the process was killed that a third start in a row had made. They have not run. */
const notStarted = 'An isolate process could not be started: it was ended by SIGKILL';
const slots = 3;
// Without spares every process has an execution while as many as there are places run.
const server = await testServer({ engine: { size: slots, spares: 0 } });

/** A run that goes on until it is told to end, and tells of every step. */
class Gated {
  steps = 0;
  readonly id: Promise<string>;
  readonly #waiting = new Set<() => void>();
  #goOn = true;

  constructor({ executions }: TestServer, name: string) {
    const call = () => {
      this.steps++;
      for (const look of this.#waiting) look();
      return this.#goOn;
    };
    const code = `let name = ${JSON.stringify(name)}; for (let n = 0; step(); n++) if (n % 50 === 0) console.log(n); name`;
    const host = () => ({ functions: { step: { mode: 'sync' as const, call } } });
    this.id = executions.submit({ code, host, timeoutMs: 60_000 }).then(({ id }) => id);
  }

  /** Resolves once it has made so many more steps. */
  further(count: number): Promise<void> {
    const wanted = this.steps + count;
    return new Promise((resolve) => {
      const look = () => {
        if (this.steps < wanted) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
    });
  }

  end(): void {
    this.#goOn = false;
  }
}

/** The one that a process serves: while it is stopped, all others make steps. */
async function servedBy(pid: number, running: readonly Gated[]): Promise<Gated> {
  process.kill(pid, 'SIGSTOP');
  // The step that was under way when it was stopped may still come in, and the answer to it makes no other.
  const moves = running.map((one) => one.further(3).then(() => one));
  const moved = new Set<Gated>();
  await new Promise<void>((resolve) => {
    for (const move of moves) {
      void move.then((one) => {
        moved.add(one);
        if (moved.size === running.length - 1) resolve();
      });
    }
  });
  const [still, ...others] = running.filter((one) => !moved.has(one));
  assert.ok(still && others.length === 0);
  process.kill(pid, 'SIGCONT');
  return still;
}

test(`${kills} times one process of ${slots} is killed: its own execution fails, all others complete`, async (t) => {
  const { executions, engine } = server;
  for (let round = 0; round < kills; round++) {
    const running = random.times(slots, (n) => new Gated(server, `${round}.${n}`));
    await Promise.all(running.map((one) => one.further(1)));
    const waiting = random.times(3, (n) => executions.submit({ code: `'waited ${n}'` }));
    assert.equal(engine.processIds.length, slots);
    const pid = random.pick(engine.processIds);
    const doomed = await servedBy(pid, running);
    await setTimeout(random.below(20)); // the moment of the kill is what is being varied
    process.kill(pid, 'SIGKILL');
    const failed = await ended(executions, await doomed.id);
    assert.deepEqual([failed.status, failed.error, failed.outputHeap], ['failed', killed, null]);
    assert.ok(!exists(pid));
    const others = running.filter((one) => one !== doomed);
    await Promise.all(others.map((one) => one.further(3))); // they have not noticed
    for (const one of others) one.end();
    for (const one of others) {
      const { status, result } = await ended(executions, await one.id);
      assert.deepEqual([status, result], ['completed', `"${round}.${running.indexOf(one)}"`]);
    }
    for (const [n, { id }] of (await Promise.all(waiting)).entries()) {
      assert.equal((await ended(executions, id)).result, `"waited ${n}"`);
    }
  }
  t.diagnostic(`${kills} kills, ${kills} failed, ${kills * (slots + 2)} completed`);
});

/** Runs one after the other, each on from the heap before it, until `over`; a run that fails is done again. */
async function client(name: number, first: string, over: () => boolean, failures: Execution[]): Promise<number> {
  let heap = first;
  let completed = 0;
  while (!over()) {
    const code = `for (let i = 0; i < ${random.below(2e6)}; i++); console.log(${name}); steps += kept.length / 1e5`;
    const execution = await runToEnd(server, { code, heap });
    if (execution.status === 'failed') {
      if (execution.error !== notStarted) failures.push(execution);
      continue;
    }
    assert.deepEqual([execution.status, execution.result], ['completed', `${completed + 1}`]);
    assert.equal((await server.executions.page(execution.id, {}))?.data, `${name}\n`);
    if (execution.outputHeap === null) {
      failures.push(execution);
      continue;
    }
    heap = execution.outputHeap;
    completed++;
  }
  return completed;
}

test(`${kills} kills in the middle of restores, runs and snapshots cost one execution each at most`, async (t) => {
  const failures: Execution[] = [];
  let done = 0;
  const first = heapOf(await runToEnd(server, 'let steps = 0, kept = "x".repeat(1e5)'));
  const clients = Promise.all(random.times(slots * 2, (n) => client(n, first, () => done === kills, failures)));
  clients.catch(() => {}); // it is waited for when all kills are done
  while (done < kills) {
    await setTimeout(random.below(150)); // the moment of the kill is what is being varied
    const pids = server.engine.processIds.filter(exists);
    if (pids.length === 0) continue; // the next one is being started
    process.kill(random.pick(pids), 'SIGKILL');
    done++;
    assert.ok(failures.length <= done, `${failures.length} failures after ${done} kills`);
  }
  const completed = (await clients).reduce((sum, count) => sum + count, 0);
  const lost = failures.filter(({ status }) => status === 'completed');
  for (const { status, error, heapError } of failures) {
    if (status === 'failed') assert.equal(error, killed);
    else assert.equal(heapError, 'The heap could not be saved: it was ended by SIGKILL');
  }
  assert.ok(failures.length > 0 && failures.length <= kills, `${failures.length} failures after ${kills} kills`);
  assert.ok(completed > 0);
  t.diagnostic(
    `${kills} kills: ${failures.length - lost.length} failed, ${lost.length} left no heap, ${completed} completed`,
  );
});
