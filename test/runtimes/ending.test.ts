// However a job ends, nothing of it is left: not after its time-out, not after a cancel, not after the end of the server.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { z } from 'zod';
import { atEnd } from '../cleanup.ts';
import { newMark, processesWith, reaches } from './processes.ts';
import { openRuntimes } from './server.ts';

/** Ways of leaving behind a process that sleeps for `mark` seconds; all wait for it to be there. */
const strays = {
  'in the background': (mark: string) => `sleep ${mark} &`,
  'with setsid': (mark: string) => `setsid sleep ${mark} &`,
  'with nohup': (mark: string) => `nohup sleep ${mark} > /dev/null 2>&1 &`,
  'with a double fork': (mark: string) => `( ( setsid sleep ${mark} > /dev/null 2>&1 < /dev/null & ) & )`,
  'deaf to signals': (mark: string) => `( trap '' TERM INT HUP; exec setsid sleep ${mark} ) &`,
  stopped: (mark: string) => `setsid sh -c 'kill -STOP $$' ${mark} &`,
};

for (const sandbox of ['bubblewrap', 'none'] as const) {
  const settings = { sandbox, maxConcurrentJobs: 1 };

  test(`${sandbox}: what outlives its script is ended with the job`, async (context) => {
    const { run } = await openRuntimes(context, settings);
    for (const [how, stray] of Object.entries(strays)) {
      const mark = newMark();
      const { answer } = await run({ code: `${stray(mark)}\nsleep 0.1; exit 5` });
      assert.deepEqual([answer.status, answer.exitCode], ['failure', 5]);
      assert.deepEqual(processesWith(mark), [], how);
    }
  });

  test(`${sandbox}: the answer comes within a second of the time-out, and nothing is left`, async (context) => {
    const ways = Object.entries(strays);
    const { run, runtimes } = await openRuntimes(context, { ...settings, maxConcurrentJobs: ways.length });
    await run({ code: 'echo warm' });
    const timeoutMs = 2000;
    const outlives = async ([how, stray]: (typeof ways)[number]) => {
      const mark = newMark();
      const { promise: begun, resolve: begins } = Promise.withResolvers<number>();
      const code = `${stray(mark)}\ntrap '' TERM INT HUP; while :; do sleep 1; done`;
      const running = run({ code, timeoutMs }, { onStart: () => begins(performance.now()) });
      assert.ok(await reaches(mark, 1, timeoutMs - 100), `${how}: it has not begun`);
      const { answer } = await running;
      const late = performance.now() - (await begun) - timeoutMs;
      assert.deepEqual([answer.status, answer.exitCode, answer.signal], ['timeout', null, 'SIGKILL']);
      assert.ok(late < 1000, `${how}: ${late} ms late`);
      assert.deepEqual(processesWith(mark), [], how);
    };
    await Promise.all(ways.map(outlives));
    assert.deepEqual(runtimes.jobs(), []);
    assert.equal((await run({ code: 'echo the slots are free' })).answer.status, 'success');
  });

  test(`${sandbox}: a cancelled job is gone when cancel answers`, async (context) => {
    const { run, runtimes } = await openRuntimes(context, settings);
    const mark = newMark();
    const { promise: jobId, resolve } = Promise.withResolvers<string>();
    const running = run({ code: `setsid sleep ${mark} & sleep 60` }, { onStart: resolve });
    const id = await jobId;
    assert.ok(await reaches(mark, 1, 10_000));
    assert.deepEqual(
      runtimes.jobs().map((job) => [job.id, job.state, job.runtime]),
      [[id, 'running', 'shell']],
    );
    assert.equal(await runtimes.cancel(id), true);
    assert.deepEqual(processesWith(mark), []);
    assert.deepEqual([(await running).answer.status, (await running).answer.signal], ['cancelled', 'SIGKILL']);
    assert.equal(await runtimes.cancel(id), false);
  });

  test(`${sandbox}: a client that goes away cancels, also what waits for its turn`, async (context) => {
    const { run } = await openRuntimes(context, settings);
    const mark = newMark();
    const [first, second] = [new AbortController(), new AbortController()];
    const running = run({ code: `sleep ${mark}` }, { signal: first.signal });
    assert.ok(await reaches(mark, 1, 10_000));
    const waiting = run({ code: 'echo never' }, { signal: second.signal });
    second.abort();
    assert.equal((await waiting).answer.status, 'cancelled');
    first.abort();
    assert.equal((await running).answer.status, 'cancelled');
    assert.deepEqual(processesWith(mark), []);
  });

  test(`${sandbox}: a job that dies of a signal says which`, async (context) => {
    const { run } = await openRuntimes(context, settings);
    for (const signal of ['SIGSEGV', 'SIGABRT', 'SIGTERM', 'SIGKILL', 'SIGUSR1']) {
      const { answer } = await run({ code: `kill -${signal} $$` });
      assert.deepEqual([answer.status, answer.exitCode, answer.signal], ['failure', null, signal]);
    }
    const crash = 'int main() { *(volatile int*)0 = 1; }';
    const { answer } = await run({ runtime: 'c', code: crash });
    assert.deepEqual([answer.exitCode, answer.signal], [null, 'SIGSEGV']);
  });

  test(`${sandbox}: kill -9 of the server in the middle of jobs`, async (context) => {
    const mark = newMark();
    const { server, exited, folder, handle } = await serverWithJobs(context, sandbox, mark);
    server.kill('SIGKILL');
    await exited;
    assert.ok(await reaches(mark, 0, 10_000), 'a job has outlived the server');
    const { runtimes } = await openRuntimes(context, settings, { folder });
    assert.equal((await runtimes.audit.verify()).ok, true);
    const entries = await runtimes.audit.list({ limit: 100 });
    const [ended, ...cutOff] = entries.filter(({ kind }) => kind === 'start').reverse();
    const ends = new Map(entries.filter(({ kind }) => kind === 'end').map(({ job, details }) => [job, details.status]));
    assert.equal(ends.get(ended?.job ?? ''), 'success');
    assert.deepEqual(
      cutOff.map(({ job }) => ends.get(job)),
      ['cut_off', 'cut_off', 'cut_off'],
    );
    const found = {
      artifactHandle: handle,
      queryTerms: ['kept'],
      maxExcerpts: 1,
      contextLines: 0,
      stream: 'both',
    } as const;
    assert.equal((await runtimes.query(found)).excerpts[0]?.content, 'kept');
  });
}

/** A server of its own process, with three jobs in it. */
async function serverWithJobs(context: TestContext, sandbox: string, mark: string) {
  const program = join(import.meta.dirname, 'faults/job-server.ts');
  const server = spawn(process.execPath, [program, sandbox, mark], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(server, 'exit');
  atEnd(context, async () => {
    server.kill('SIGKILL');
    await exited;
  });
  const [line] = await once(createInterface({ input: server.stdout }), 'line');
  const { folder, handle } = z.object({ folder: z.string(), handle: z.string() }).parse(JSON.parse(String(line)));
  assert.ok(await reaches(`sleep\0${mark}`, 6, 20_000));
  return { server, exited, folder, handle };
}
