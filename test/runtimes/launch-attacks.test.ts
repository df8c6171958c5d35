// Attacks on how a job is launched: what it is given, what is left between its stages, and when it begins.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { probeEnvironment } from '../../src/runtimes/executables/probe-environment.ts';
import { SearchPath } from '../../src/runtimes/executables/search-path.ts';
import { startLaunch } from '../../src/runtimes/job/launch-plan.ts';
import { openMachine } from '../../src/runtimes/machine.ts';
import { atEnd, temporaryFolder } from '../cleanup.ts';
import { openRuntimes } from './server.ts';

test('the standard input of a job is the null device of its jail, and its mode cannot be changed', async (context) => {
  const { run } = await openRuntimes(context);
  const code = `import os
print(os.path.sameopenfile(0, os.open('/dev/null', os.O_RDONLY)), os.read(0, 1))
try: os.fchmod(0, 0o666); print('changed')
except PermissionError: print('refused')`;
  assert.equal((await run({ runtime: 'python', code })).stdout, "True b''\nrefused\n");
});

test('a job can take neither descriptors nor turns away from who watches over it, only from itself', async (context) => {
  const { run } = await openRuntimes(context);
  const code = `import os, resource
idle = lambda id: os.sched_setscheduler(id, os.SCHED_IDLE, os.sched_param(0))
attempts = {
  'descriptors': lambda id: resource.prlimit(id, resource.RLIMIT_NOFILE, (100, 100)),
  'processors': lambda id: os.sched_setaffinity(id, os.sched_getaffinity(0)),
  'priority': lambda id: os.setpriority(os.PRIO_PROCESS, id, 19),
  'of the group': lambda id: os.setpriority(os.PRIO_PGRP, id, 19),
  'class': idle,
}
for name, attempt in attempts.items():
  attempt(0)
  try: attempt(1); print(name)
  except PermissionError: pass
print('done')`;
  assert.equal((await run({ runtime: 'python', code })).stdout, 'done\n');
});

test('what one stage of a job leaves has ended before the next one begins', async (context) => {
  const folder = temporaryFolder(context);
  const machine = await openMachine(folder, []);
  const launch = startLaunch({ jail: null, key: null }, machine);
  const { dev, ino } = statSync(folder);
  const limits = ['memory=4000000000', 'spare=0', 'processes=50', 'file=1000000000', 'cpu=60', `disk=${folder}`];
  const shell = (script: string) => ['/bin/sh', '-c', script];
  launch.give({
    settings: ['jailed=0', `folder=${dev} ${ino} ${folder}`, ...limits],
    environment: { PATH: '/usr/bin:/bin' },
    commands: [shell('setsid sleep 100 & echo $! > left'), shell('! kill -0 $(cat left)')],
    code: null,
  });
  for (const stream of [launch.stdout, launch.stderr]) stream.resume();
  launch.begin();
  assert.deepEqual(await launch.ended(), { kind: 'exit', code: 0, stage: 1 });
  await launch.drained(0);
});

test('a job that is cancelled before it begins runs nothing, though its jail has its order', async (context) => {
  const { run, repo } = await openRuntimes(context);
  for (let round = 0; round < 30; round++) {
    const cancel = new AbortController();
    const options = { signal: cancel.signal, onStart: () => cancel.abort() };
    const { answer } = await run({ code: 'echo > ran', persistOutput: false }, options);
    assert.equal(answer.status, 'cancelled');
    assert.ok(!existsSync(join(repo, 'ran')));
  }
});

test('a launch for which there are too few descriptors keeps none', async (context) => {
  const folder = temporaryFolder(context);
  const program = join(import.meta.dirname, 'faults/few-descriptors.ts');
  const { stdout } = spawnSync('/bin/sh', ['-c', 'ulimit -n 900; exec "$@"', 'sh', process.execPath, program, folder]);
  assert.deepEqual(JSON.parse(stdout.toString()), { failure: 'Error: Too many open files', more: 0 });
});

test('what jobs can write of the home is not loaded when an executable is asked for its version', async (context) => {
  const folder = temporaryFolder(context);
  const home = process.env.HOME;
  process.env.HOME = folder;
  atEnd(context, () => {
    if (home === undefined) delete process.env.HOME;
    else process.env.HOME = home;
  });
  assert.equal(homedir(), folder);
  for (let minor = 9; minor < 20; minor++) {
    const site = join(folder, `.local/lib/python3.${minor}/site-packages`);
    mkdirSync(site, { recursive: true });
    writeFileSync(join(site, 'planted.pth'), `import os; open(${JSON.stringify(join(folder, 'loaded'))}, "w")\n`);
  }
  const { run } = await openRuntimes(context);
  assert.equal((await run({ runtime: 'python', code: 'print(1)' })).stdout, '1\n');
  assert.ok(!existsSync(join(folder, 'loaded')));
});

test('a version manager that has its versions in a repository, among others, is not asked', async (context) => {
  const before = process.env.GEM_PATH;
  process.env.GEM_PATH = '/usr/lib/gems:/srv/repo/gems';
  atEnd(context, () => {
    if (before === undefined) delete process.env.GEM_PATH;
    else process.env.GEM_PATH = before;
  });
  assert.equal(probeEnvironment(await SearchPath.from('/usr/bin', ['/srv/repo'])).GEM_PATH, undefined);
});
