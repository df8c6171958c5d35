// What a job may try against the machine that it runs on. Each attempt is made from inside of one, and checked outside.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { atEnd } from '../cleanup.ts';
import { openRuntimes, withRuntimes } from './server.ts';

process.env.CAY_TEST_SECRET = 'sesame-in-the-environment';

const withServer = withRuntimes();

test(
  'a file of another user, and the lists of passwords, are not there',
  withServer(async ({ run, repo }) => {
    const file = join(repo, '../diary.txt');
    writeFileSync(file, 'sesame', { mode: 0o600 });
    const { stdout } = await run({ code: `cat ${file} /etc/shadow /etc/gshadow; ls -A /root ${join(repo, '..')}` });
    assert.equal(stdout, `${join(repo, '..')}:\nrepo\n`);
  }),
);

test(
  'the data folder of the server is not there',
  withServer(async ({ run, data }) => {
    assert.ok(readdirSync(data).length > 0);
    const { stdout } = await run({
      code: `ls -A ${data}; find / -xdev -path '*/data/*' -newer /run/job/launch 2>/dev/null`,
    });
    assert.equal(stdout, '');
  }),
);

test('the data folder is hidden even where it is inside of the repository', async (context) => {
  const tested = await openRuntimes(context, {}, { dataAt: 'repo/data' });
  const { stdout } = await tested.run({ code: 'ls -A data; echo x > data/planted; ls -A .' });
  assert.equal(stdout, 'data\n');
  assert.ok(!existsSync(join(tested.data, 'planted')));
});

test(
  'the environment of the server is not there',
  withServer(async ({ run }) => {
    const { stdout } = await run({ code: 'env -0; cat /proc/[0-9]*/environ' });
    assert.doesNotMatch(stdout, /sesame/);
    const names = stdout.split('\0').map((pair) => pair.split('=')[0]);
    const known = ['HOME', 'LANG', 'PATH', 'PWD', 'SHLVL', 'TMPDIR', '_', ''];
    assert.deepEqual(
      names.filter((name = '') => !known.includes(name)),
      [],
    );
  }),
);

test('what envAllowlist lists is there', async (context) => {
  const tested = await openRuntimes(context, { envAllowlist: ['CAY_TEST_SECRET', 'HOME'] });
  const { stdout } = await tested.run({ code: 'echo $CAY_TEST_SECRET $HOME' });
  assert.equal(stdout, 'sesame-in-the-environment /home/job\n');
});

test(
  'nothing can be written outside of the repository, by a path, through `..`, or through a link',
  withServer(async ({ run, repo }) => {
    const outside = join(repo, '../outside');
    mkdirSync(outside, { recursive: true });
    symlinkSync(outside, join(repo, 'door'));
    symlinkSync('../outside', join(repo, 'relative-door'));
    const places = [
      outside,
      '../outside',
      'door',
      'relative-door',
      '/usr',
      '/etc',
      '/',
      '/proc/sys/kernel',
      '/run/job/code',
    ];
    const code = `${places.map((place) => `echo x > ${place}/planted-by-job`).join('\n')}\necho x > inside; echo tried`;
    const { stdout } = await run({ code });
    assert.equal(stdout, 'tried\n');
    assert.ok(existsSync(join(repo, 'inside')));
    assert.deepEqual(readdirSync(outside), []);
    for (const place of ['/usr', '/etc', '/']) assert.ok(!existsSync(join(place, 'planted-by-job')));
  }),
);

test(
  'a working directory outside of the repository is denied, also through a link',
  withServer(async ({ run, repo }) => {
    mkdirSync(join(repo, '../elsewhere'), { recursive: true });
    symlinkSync('../elsewhere', join(repo, 'way-out'));
    symlinkSync(repo, join(repo, 'way-in'));
    for (const relativeCwd of [
      '..',
      'way-out',
      '/',
      '/etc',
      'way-in/..',
      'way-in/../elsewhere',
      'missing',
      'a/../..',
    ]) {
      const { answer } = await run({ code: 'touch planted', relativeCwd });
      assert.equal(answer.status, 'denied', relativeCwd);
      assert.match(answer.policyDecision.deniedReasons.join(), /relativeCwd/);
    }
    assert.deepEqual(readdirSync(join(repo, '../elsewhere')), []);
    const { answer } = await run({ code: 'touch fine', relativeCwd: 'way-in' });
    assert.equal(answer.status, 'success');
  }),
);

test(
  'a working directory that is swapped for a link meanwhile leads nowhere',
  withServer(async ({ run, repo }, context) => {
    const outside = join(repo, '../swapped');
    mkdirSync(outside);
    mkdirSync(join(repo, 'work'));
    const swap = `while :; do mv -T work kept && ln -s ${outside} work && rm work && mv -T kept work; done`;
    const swapper = spawn('bash', ['-c', swap], { cwd: repo, stdio: 'ignore' });
    atEnd(context, () => swapper.kill('SIGKILL'));
    const seen = new Set<string>();
    for (let round = 0; round < 60; round++) {
      const { answer, stderr } = await run({ code: 'pwd -P; touch mark 2>/dev/null; :', relativeCwd: 'work' });
      seen.add(answer.status);
      if (answer.status === 'failure') console.log(answer, stderr);
    }
    const exited = once(swapper, 'exit');
    swapper.kill('SIGKILL');
    await exited;
    assert.deepEqual(readdirSync(outside), []);
    assert.ok(seen.has('denied') || seen.has('success'), `saw ${[...seen]}`);
    assert.ok(!seen.has('failure'), `saw ${[...seen]}`);
  }),
);

test('only what the policy says can be written', async (context) => {
  const tested = await openRuntimes(context, { writable: ['dist', 'packages/*/out', 'notes.txt'] });
  const { run, repo } = tested;
  mkdirSync(join(repo, 'packages/a/out'), { recursive: true });
  mkdirSync(join(repo, 'src'));
  writeFileSync(join(repo, 'notes.txt'), '');
  const places = ['x', 'src/x', 'packages/a/x', 'dist/x', 'packages/a/out/x', 'notes.txt'];
  await run({ code: places.map((place) => `echo y > ${place}`).join('\n') });
  const written = places.filter((place) => existsSync(join(repo, place)) && readFileSync(join(repo, place)).length > 0);
  assert.deepEqual(written, ['dist/x', 'packages/a/out/x', 'notes.txt']);
  rmSync(join(repo, 'dist'), { recursive: true });
  symlinkSync('/etc', join(repo, 'dist'));
  const { answer } = await run({ code: 'echo y > dist/planted-by-job' });
  assert.equal(answer.status, 'denied');
  assert.match(answer.policyDecision.deniedReasons.join(), /writable.*'dist'/);
});

test('what may be written inside of what may be written is not mounted again', async (context) => {
  const { run, runtimes, repo } = await openRuntimes(context, { writable: ['a/b/c', 'a/b', 'ab', 'a/b'] });
  assert.equal((await run({ code: 'touch a/b/c/x a/b/x ab/x && ! touch a/x 2> /dev/null && echo ok' })).stdout, 'ok\n');
  const [start] = (await runtimes.audit.list({ limit: 10 })).filter(({ kind }) => kind === 'start');
  assert.deepEqual(start?.details.writable, [join(repo, 'ab'), join(repo, 'a/b')]);
  assert.equal((await run({ code: `grep -c ' ${repo}/a/b/c ' /proc/self/mountinfo` })).stdout, '0\n');
});

const connects = (port: number) => `timeout 10 bash -c 'echo hello > /dev/tcp/127.0.0.1/${port}' && echo in`;
/** Not tried where there is a network: no test reaches another machine. */
const leaves = `timeout 2 bash -c 'echo > /dev/tcp/192.0.2.1/53' && echo out; cat /proc/net/dev`;

test('the network, and the ports of the machine, are there only where they are granted', async (context) => {
  let visits = 0;
  const listener = createServer((socket) => {
    visits++;
    socket.on('error', () => {}).end();
  }).listen(0, '127.0.0.1');
  atEnd(context, () => listener.close());
  await once(listener, 'listening');
  const address = listener.address();
  assert.ok(typeof address === 'object' && address);
  const closed = await openRuntimes(context);
  const without = await closed.run({ code: `${connects(address.port)}; ${leaves}` });
  assert.doesNotMatch(without.stdout, /^(?:in|out)$/m);
  assert.deepEqual(without.stdout.match(/\w+(?=:)/g), ['lo']);
  assert.equal(visits, 0);
  const granted = await openRuntimes(context, { network: true });
  assert.match((await granted.run({ code: connects(address.port) })).stdout, /^in$/m);
  assert.equal(visits, 1);
});

test(
  'a process outside cannot be seen, signalled or traced, and neither can the warden',
  withServer(async ({ run }, context) => {
    const outside = spawn('sleep', ['600'], { stdio: 'ignore' });
    atEnd(context, () => outside.kill('SIGKILL'));
    const attempts = `
      #define _GNU_SOURCE
      #include <fcntl.h>
      #include <signal.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <sys/ptrace.h>
      #include <sys/uio.h>
      #include <unistd.h>
      int main(int n, char** words) {
        for (int i = 1; i < n; i++) {
          int id = atoi(words[i]);
          char here[8]; struct iovec mine = {here, 8}, theirs = {main, 8};
          printf("%d %d %d\\n", kill(id, SIGKILL) == 0 && id != 1, ptrace(PTRACE_ATTACH, id, 0, 0) == 0,
                 process_vm_readv(id, &mine, 1, &theirs, 1, 0) > 0);
        }
        printf("%d\\n", open("/proc/1/mem", O_RDONLY) >= 0);
        kill(-1, SIGKILL);
      }`;
    const { answer, stdout } = await run({
      runtime: 'c',
      code: attempts,
      args: [`${outside.pid}`, `${process.pid}`, '1'],
    });
    assert.equal(stdout, '0 0 0\n0 0 0\n0 0 0\n0\n');
    assert.equal(answer.status, 'success');
    assert.equal(outside.exitCode, null);
    assert.equal(outside.signalCode, null);
  }),
);

test(
  'a job has no rights, and cannot get any',
  withServer(async ({ run }) => {
    const code =
      "grep -E 'Cap|NoNew' /proc/self/status | tr '\\n\\t' '  '; unshare -Ur true; mount -t tmpfs x /tmp; su -c id";
    const { stdout, answer } = await run({ code });
    const none = '0000000000000000';
    assert.equal(
      stdout,
      `CapInh: ${none} CapPrm: ${none} CapEff: ${none} CapBnd: ${none} CapAmb: ${none} NoNewPrivs: 1 `,
    );
    assert.equal(answer.status, 'failure');
  }),
);

test('an executable in the repository under an allowed name is not used', async (context) => {
  const path = process.env.PATH ?? '';
  const plant = (repo: string) => {
    const shims = join(repo, '../shims');
    for (const folder of [join(repo, 'bin'), shims]) mkdirSync(folder);
    for (const name of ['python3', 'bash', 'perl', 'bwrap']) {
      writeFileSync(join(repo, 'bin', name), `#!/bin/sh\ntouch ${shims}/was-used\n`, { mode: 0o755 });
      symlinkSync(join(repo, 'bin', name), join(shims, name));
    }
    process.env.PATH = `${repo}/bin:${shims}:bin:.:${path}`;
  };
  const tested = await openRuntimes(context, {}, { prepare: plant }).finally(() => {
    process.env.PATH = path;
  });
  const { repo, run } = tested;
  for (const runtime of ['python', 'shell', 'perl'] as const) {
    const { answer } = await run({ runtime, args: ['--version'] });
    assert.equal(answer.status, 'success');
    for (const executable of [`${repo}/bin/python3`, './bin/python3', '../shims/python3', '/bin/sh', 'sh', '']) {
      const { answer: denied } = await run({ runtime, executable, args: ['--version'] });
      assert.equal(denied.status, 'denied', executable);
      assert.match(denied.policyDecision.deniedReasons.join(), /not allowed for/);
    }
  }
  assert.ok(!existsSync(join(repo, '../shims/was-used')));
});
