// What a launcher does with an order: native/job/.
import assert from 'node:assert/strict';
import { mkdirSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startLaunch } from '../../src/runtimes/job/launch-plan.ts';
import type { Report } from '../../src/runtimes/job/report.ts';
import { openMachine } from '../../src/runtimes/machine.ts';
import { temporaryFolder } from '../cleanup.ts';

interface Given {
  readonly command: readonly string[];
  readonly settings?: readonly string[];
}

/** Runs a command in a folder of its own without a jail, and says how that ended. */
async function launched(context: TestContext, { command, settings = [] }: Given): Promise<Report | null> {
  const folder = temporaryFolder(context);
  const machine = await openMachine(folder, []);
  const launch = startLaunch({ jail: null, key: null }, machine);
  const limits = ['memory=4000000000', 'spare=0', 'processes=50', 'file=1000000000', 'cpu=60', `disk=${folder}`];
  const own = ['jailed=0', `folder=${placeOf(folder)}`, ...limits];
  launch.give({ settings: [...own, ...settings], environment: {}, commands: [command], code: null });
  for (const stream of [launch.stdout, launch.stderr]) stream.resume();
  launch.begin();
  const report = await launch.ended();
  await launch.drained(0);
  return report;
}

function placeOf(path: string): string {
  const { dev, ino } = statSync(path);
  return `${dev} ${ino} ${path}`;
}

test('a job that leaves too little memory to the machine is ended, also when it is within its own limit', async (context) => {
  const program = 'import time\na = []\nwhile True:\n  a.append(b"x" * 10**7)\n  time.sleep(0.02)';
  const report = await launched(context, {
    command: ['/usr/bin/python3', '-c', program],
    settings: [`spare=${totalmem()}`],
  });
  assert.deepEqual(report, { kind: 'limit', limit: 'machine' });
});

test('a job that takes much memory and leaves enough goes on', async (context) => {
  const command = ['/usr/bin/python3', '-c', 'import time\na = b"x" * 2 * 10**8\ntime.sleep(0.6)'];
  const report = await launched(context, { command, settings: [`spare=${2 ** 20}`] });
  assert.deepEqual(report, { kind: 'exit', code: 0, stage: 0 });
});

test('what should be mounted and is not, or not there, keeps a job from beginning', async (context) => {
  const folder = temporaryFolder(context);
  mkdirSync(join(folder, 'plain'));
  const { dev, ino } = statSync('/proc');
  const run = (mount: string) => launched(context, { command: ['/bin/true'], settings: [`mount=${mount}`] });
  assert.deepEqual(await run(placeOf('/proc')), { kind: 'exit', code: 0, stage: 0 });
  for (const mount of [placeOf(join(folder, 'plain')), `${dev} ${ino} /usr`, `${dev} ${ino + 1} /proc`, '1 1 /none']) {
    assert.deepEqual(await run(mount), { kind: 'other_folder' }, mount);
  }
  assert.deepEqual(await run(`${dev} ${ino} /dev/../proc/1/root/proc`), { kind: 'other_folder' }, 'through a link');
});

test('arguments that the system does not take are said to be too long', async (context) => {
  assert.deepEqual(await launched(context, { command: ['/bin/true', 'x'.repeat(2 ** 18)] }), { kind: 'too_long' });
});
