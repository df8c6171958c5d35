// A jail that waited for a job may go in the moment in which it gets one. The job runs all the same, and never twice.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { runtimeSchema } from '../../src/config/runtime.ts';
import { planLaunch } from '../../src/runtimes/job/launch-plan.ts';
import { prepareJob } from '../../src/runtimes/job/prepare.ts';
import { openMachine } from '../../src/runtimes/machine.ts';
import { temporaryFolder } from '../cleanup.ts';
import { jobRequest } from './server.ts';
import { jailsOf, launchersOf, openWithSpare, until } from './spare.ts';

const seed = Number(process.env.CAY_SEED ?? Date.now() % 1_000_000);

function kill(id: string, signal: NodeJS.Signals): void {
  try {
    process.kill(Number(id), signal);
  } catch {} // it has just ended
}

const lines = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').length / 2 : 0);

for (const [when, pauseMs] of [
  ['it is taken', 0],
  ['its job has begun, of which it has not heard', 100],
] as const) {
  test(`a jail that goes when ${when}: the job is run in another`, async (context) => {
    const { run, runtimes, repo, spare, ...tested } = await openWithSpare(context);
    const [launcher = ''] = launchersOf(tested);
    kill(launcher, 'SIGSTOP');
    const { promise: taken, resolve: take } = Promise.withResolvers<void>();
    const onStart = () => (pauseMs === 0 ? kill(spare, 'SIGKILL') : take());
    const running = run({ code: 'echo x >> ran; echo here' }, { onStart });
    if (pauseMs > 0) {
      await taken;
      await setTimeout(pauseMs);
      kill(launcher, 'SIGKILL');
    }
    const { answer, stdout } = await running;
    assert.deepEqual([answer.status, stdout], ['success', 'here\n']);
    assert.equal(lines(join(repo, 'ran')), 1);
    const records = await runtimes.audit.list({ limit: 2 });
    assert.deepEqual(new Set(records.map(({ kind }) => kind)), new Set(['start', 'end']));
    assert.equal(records[0]?.job, records[1]?.job);
  });
}

test('what may have begun is not run again', async (context) => {
  const { run, repo, ...tested } = await openWithSpare(context);
  const [launcher = ''] = launchersOf(tested);
  const running = run({ code: 'echo x >> ran; sleep 100' });
  await until('it has not begun', () => lines(join(repo, 'ran')) === 1);
  kill(launcher, 'SIGKILL');
  const { answer } = await running;
  assert.equal(answer.status, 'failure');
  assert.match(answer.policyDecision.deniedReasons[0] ?? '', /What watched over the job was killed/);
  assert.equal(lines(join(repo, 'ran')), 1);
});

test(`a jail that goes at any moment: its job is run once, or once at most and fails (CAY_SEED=${seed})`, async (context) => {
  const { run, repo, ...tested } = await openWithSpare(context);
  const ran = join(repo, 'ran');
  let succeeded = 0;
  for (let round = 0; round < 20; round++) {
    await until('there is no spare jail', () => jailsOf(tested).length === 1);
    const [spare = ''] = jailsOf(tested);
    const running = run({ code: 'echo x >> ran' });
    await setTimeout(((seed + round * 7919) % 100) / 10);
    kill(spare, 'SIGKILL');
    const { answer } = await running;
    const times = lines(ran);
    assert.ok(answer.status === 'success' ? times === 1 : times <= 1, `${answer.status}, and was run ${times} times`);
    if (answer.status === 'success') succeeded++;
    rmSync(ran, { force: true });
  }
  context.diagnostic(`${succeeded} of 20 succeeded`);
});

test('a folder that has the number of one before it is another one', async (context) => {
  const folder = temporaryFolder(context);
  const repo = join(folder, 'repo');
  const machine = await openMachine(join(folder, 'data'), [repo]);
  const config = runtimeSchema.parse({ enabled: true });
  const keyNow = async () => {
    const prepared = await prepareJob(jobRequest, repo, config, machine);
    const { key } = await planLaunch(prepared, config, machine);
    await prepared.close();
    return key;
  };
  mkdirSync(repo);
  // Most file systems give a number out again at once when nobody has the folder any more.
  for (let attempt = 0, isSame = false; attempt < 30 && !isSame; attempt++) {
    const before = { key: await keyNow(), inode: statSync(repo).ino };
    assert.equal(await keyNow(), before.key);
    await setTimeout(20); // the clock of a file system is a coarse one
    rmdirSync(repo);
    mkdirSync(repo);
    isSame = statSync(repo).ino === before.inode;
    assert.notEqual(await keyNow(), before.key);
  }
});
