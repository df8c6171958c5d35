// Jails that were made before anybody needed them: each is for one job, and for no other than one that it fits.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { SpareJails } from '../../src/runtimes/jail/spare-jails.ts';
import { startLaunch } from '../../src/runtimes/job/launch-plan.ts';
import { openMachine } from '../../src/runtimes/machine.ts';
import { atEnd } from '../cleanup.ts';
import { jailsOf, openWithSpare, sessionOf, until } from './spare.ts';

test('a job runs in the jail that waits, and the next one in another', async (context) => {
  const { run, spare, ...tested } = await openWithSpare(context);
  const running = run({ code: 'while [ ! -e go ]; do sleep 0.01; done; echo ok' });
  await setTimeout(100);
  assert.deepEqual(jailsOf(tested), [spare], 'no other jail was made');
  assert.notEqual(sessionOf(spare), sessionOf('self'), 'what is typed at the terminal of the server reaches it');
  writeFileSync(join(tested.repo, 'go'), '');
  assert.equal((await running).stdout, 'ok\n');
  await until('the jail is still there', () => jailsOf(tested).length === 1 && !jailsOf(tested).includes(spare));
});

test('nothing that a job leaves is there for the next one', async (context) => {
  const { run } = await openWithSpare(context, { allowedRuntimes: ['shell', 'python'] });
  const places = '/tmp /home/job /dev/shm /run/job/code';
  const leave = `chmod 700 /run/job/code; for p in ${places}; do echo secret > $p/left && echo $p; done; mkdir /tmp/build/left
    python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.bind("\\0left")'
    setsid sh -c 'while :; do echo secret > /tmp/again 2> /dev/null; done' & sleep 0.05`;
  assert.equal((await run({ code: leave })).stdout, places.replaceAll(' ', '\n').concat('\n'));
  const look = `ls -A ${places} /tmp/build | grep -v cay-; cat /proc/net/unix | grep -c left; ps ax 2> /dev/null | grep -c '[a]gain'; ipcs -m | grep -c 0x`;
  const found = `/dev/shm:\n\n/home/job:\n\n/run/job/code:\nmain.sh\n\n/tmp:\nbuild\n\n/tmp/build:\n0\n0\n0\n`;
  for (let round = 0; round < 3; round++) assert.equal((await run({ code: look })).stdout, found);
});

test('a job of one repository never gets the jail of another', async (context) => {
  const { run, repo, folder } = await openWithSpare(
    context,
    {},
    { otherRepos: { other: 'other', inside: 'repo/inside' } },
  );
  const paths = { repo, other: join(folder, 'other'), inside: join(repo, 'inside') };
  for (const path of Object.values(paths)) mkdirSync(path, { recursive: true });
  for (let round = 0; round < 3; round++) {
    for (const [repoId, path] of Object.entries(paths)) {
      const { stdout } = await run({
        repoId,
        code: `pwd; ls -d ${repo} ${paths.other} 2> /dev/null; touch ${repo}/by-${repoId}`,
      });
      const seen = repoId === 'other' ? [paths.other] : [repo];
      assert.deepEqual(stdout.trim().split('\n'), [path, ...seen]);
    }
  }
  assert.ok(!readdirSync(repo).some((name) => name === 'by-other' || name === 'by-inside'));
});

test('a repository that was replaced meanwhile is the one that the next job is in', async (context) => {
  const { run, repo } = await openWithSpare(context);
  renameSync(repo, `${repo}-before`);
  mkdirSync(repo);
  writeFileSync(join(repo, 'new'), '');
  assert.equal((await run({ code: 'ls; touch written' })).stdout, 'new\n');
  assert.deepEqual([readdirSync(repo).sort(), readdirSync(`${repo}-before`)], [['new', 'written'], []]);
  rmSync(`${repo}-before`, { recursive: true });
});

test('a folder that may be written and was replaced meanwhile is the new one, or the job is denied', async (context) => {
  const prepare = (repo: string) => mkdirSync(join(repo, 'out'));
  const { run, repo, folder } = await openWithSpare(context, { writable: ['out'] }, { prepare });
  renameSync(join(repo, 'out'), join(repo, 'before'));
  mkdirSync(join(repo, 'out'));
  assert.equal((await run({ code: 'touch out/x && touch before/x 2> /dev/null || echo no' })).stdout, 'no\n');
  assert.deepEqual([readdirSync(join(repo, 'out')), readdirSync(join(repo, 'before'))], [['x'], []]);
  mkdirSync(join(folder, 'elsewhere'));
  renameSync(join(repo, 'out'), join(repo, 'again'));
  symlinkSync(join(folder, 'elsewhere'), join(repo, 'out'));
  const { answer } = await run({ code: 'touch out/x' });
  assert.equal(answer.status, 'denied');
  assert.deepEqual(readdirSync(join(folder, 'elsewhere')), []);
});

test('the working directory is looked at when the job comes, not when its jail was made', async (context) => {
  const { run, repo, folder } = await openWithSpare(context);
  for (const path of [join(repo, 'sub'), join(folder, 'outside')]) mkdirSync(path);
  assert.equal((await run({ relativeCwd: 'sub', code: 'pwd' })).stdout, `${join(repo, 'sub')}\n`);
  rmSync(join(repo, 'sub'), { recursive: true });
  symlinkSync(join(folder, 'outside'), join(repo, 'sub'));
  assert.equal((await run({ relativeCwd: 'sub', code: 'pwd' })).answer.status, 'denied');
});

test('a jail that somebody killed is not used', async (context) => {
  const { run, spare } = await openWithSpare(context);
  process.kill(Number(spare), 'SIGKILL');
  await until('it is still there', () => !existsSync(`/proc/${spare}`));
  assert.equal((await run({ code: 'echo ok' })).stdout, 'ok\n');
});

test('kill -9 of the server: the jail that waited goes too', async (context) => {
  const program = join(import.meta.dirname, 'faults/spare-server.ts');
  const server = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(server, 'exit');
  const [line] = await once(createInterface({ input: server.stdout }), 'line');
  const folder = String(line);
  atEnd(context, async () => {
    server.kill('SIGKILL');
    await exited;
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  const tested = { data: join(folder, 'data') };
  await until('there is no spare jail', () => jailsOf(tested).length === 1);
  server.kill('SIGKILL');
  await exited;
  await until('it has outlived the server', () => jailsOf(tested).length === 0);
});

test('jails that nobody uses go, are few, and all end with the server', async (context) => {
  const { data, runtimes, ...tested } = await openWithSpare(context);
  await runtimes.close();
  assert.deepEqual(jailsOf({ data }), []);
  const machine = await openMachine(join(tested.folder, 'machine'), []);
  const start = () => startLaunch({ jail: null, key: null }, machine);
  const spares = new SpareJails(300);
  for (const key of 'abcdef') spares.refill(key, start);
  const taken = [...'abcdef'].map((key) => spares.take(key));
  assert.deepEqual(
    taken.map((launch) => launch !== null),
    [false, false, true, true, true, true],
  );
  assert.equal(spares.take('f'), null, 'each is for one job');
  await Promise.all(taken.map((launch) => launch?.discard()));
  spares.refill('g', start);
  await setTimeout(600);
  assert.equal(spares.take('g'), null);
  spares.refill('h', start);
  await spares.close();
  spares.refill('i', start);
  assert.equal(spares.take('i'), null);
});
