// What a job may try against the resources of the machine: processes, memory, the disk, and the server's own by its output.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '../cleanup.ts';
import { countDescendants } from './processes.ts';
import { openRuntimes, withRuntimes } from './server.ts';

const withServer = withRuntimes({ maxArtifactMb: 4 });

for (const sandbox of ['bubblewrap', 'none'])
  test(`a fork bomb stays as small as the policy says, and ends: ${sandbox}`, async (context) => {
    const { run } = await openRuntimes(context, { sandbox, maxProcesses: 40 });
    await run({ code: 'echo warm' });
    const before = countDescendants();
    let most = 0;
    const counting = setInterval(() => {
      most = Math.max(most, countDescendants());
    }, 20);
    const began = performance.now();
    const { answer, stderr } = await run({ code: ':(){ :|:& };:\nsleep 60', timeoutMs: 1500 });
    const took = performance.now() - began;
    clearInterval(counting);
    assert.equal(answer.status, 'timeout');
    assert.ok(took < 10_000, `answered after ${took} ms`);
    assert.match(stderr, /fork/);
    assert.ok(most - before >= 20, 'the bomb was not seen');
    assert.ok(most - before < 80, `${most - before} processes more than before`);
    assert.ok((await run({ code: 'echo next' })).answer.status === 'success');
  });

test('a bomb of threads is refused too', async (context) => {
  const { run } = await openRuntimes(context, { maxProcesses: 10 });
  const code = `
import threading, time
n = 0
try:
    while True:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        n += 1
except RuntimeError:
    print(n)`;
  const { stdout } = await run({ runtime: 'python', code, timeoutMs: 20_000 });
  assert.ok(Number(stdout) < 160 && Number(stdout) > 100, `${stdout} threads`);
});

const fillers = {
  'one process': ['python', 'a = []\nwhile True: a.append(bytearray(10**6))'],
  'many processes': [
    'python',
    'import os, time\nfor i in range(20):\n  if os.fork() == 0:\n    a = bytearray(10**7 * 2)\n    time.sleep(60)\ntime.sleep(60)',
  ],
  'memory without a name': [
    'python',
    'import os\nfor i in range(1000):\n  f = os.memfd_create("x")\n  os.write(f, bytes(10**7))\nimport time; time.sleep(60)',
  ],
  'files that are in memory': [
    'shell',
    'head -c 90M /dev/zero > /tmp/x; head -c 90M /dev/zero > ~/x; head -c 90M /dev/zero > /dev/shm/x; sleep 60',
  ],
} as const;

for (const [what, [runtime, code]] of Object.entries(fillers)) {
  test(`a job that fills the memory is ended: ${what}`, async (context) => {
    const { run } = await openRuntimes(context, { memoryMb: 200 });
    const { answer } = await run({ runtime, code, timeoutMs: 30_000 });
    assert.deepEqual([answer.status, answer.exitCode, answer.signal], ['failure', null, 'SIGKILL']);
    assert.match(answer.policyDecision.deniedReasons.join(), /more than 200 MB of memory \(runtime\.memoryMb\)/);
  });
}

test('shared memory counts once', async (context) => {
  const { run } = await openRuntimes(context, { memoryMb: 200 });
  const code =
    'import os, time\na = bytearray(10**8)\nfor i in range(5):\n  if os.fork() == 0:\n    time.sleep(1)\n    os._exit(0)\ntime.sleep(1)';
  assert.equal((await run({ runtime: 'python', code })).answer.status, 'success');
});

test('CPU time is limited, of one process and of many', async (context) => {
  const { run } = await openRuntimes(context, { cpuSeconds: 1 });
  const one = await run({ code: 'while :; do :; done' });
  assert.equal(one.answer.status, 'failure');
  assert.match(`${one.answer.signal} ${one.answer.policyDecision.deniedReasons}`, /SIGXCPU|cpuSeconds/);
  const many = await run({ code: 'for i in 1 2 3 4; do (while :; do :; done) & done; wait' });
  assert.match(many.answer.policyDecision.deniedReasons.join(), /more than 1 s of CPU time/);
});

test('a job cannot fill the disk: not with one file, and not the places that are in memory', async (context) => {
  const { run, repo } = await openRuntimes(context, { maxFileMb: 5, memoryMb: 64 });
  const code = 'cat /dev/zero > huge';
  const { answer } = await run({
    runtime: 'perl',
    code: `exec '/bin/cat', '/dev/zero' if open(STDOUT, '>', 'huge')`,
  });
  assert.equal(answer.signal, 'SIGXFSZ', code);
  assert.equal(statSync(join(repo, 'huge')).size, 5 * 2 ** 20);
  const filled = 'for i in $(seq 20); do head -c 4M /dev/zero > /tmp/$i || exit 7; done';
  assert.equal((await run({ code: filled })).answer.exitCode, 7);
});

test('a job that fills the disk with many files is ended before it is full', async (context) => {
  const folder = temporaryFolder(context);
  // A disk of its own, in a mount namespace that goes with the process.
  const mounted = 'mount -t tmpfs -o size=200m cay "$TMPDIR" && exec "$@"';
  const command = [
    '-rm',
    'sh',
    '-c',
    mounted,
    'sh',
    process.execPath,
    join(import.meta.dirname, 'faults/small-disk.ts'),
  ];
  const env = { ...process.env, TMPDIR: folder };
  const { stdout } = await promisify(execFile)('unshare', command, { env, timeout: 60_000 });
  const { freeMb, status, reasons } = JSON.parse(stdout);
  assert.deepEqual([status, reasons], ['failure', ['The job had nearly filled the disk, and was ended']]);
  assert.ok(freeMb > 0, `${freeMb} MB are left`);
});

test('10 GB of output pass through, and little of it stays', { timeout: 300_000 }, async (context) => {
  const { run, data } = await openRuntimes(context, { maxArtifactMb: 4 });
  await run({ code: 'echo warm' });
  const before = process.memoryUsage.rss();
  const { answer } = await run({ code: 'head -c 10G /dev/zero', timeoutMs: 250_000 });
  assert.ok('outputBytes' in answer);
  assert.deepEqual([answer.status, answer.outputBytes, answer.outputLines], ['success', 10 * 2 ** 30, 1]);
  const grown = (process.memoryUsage.rss() - before) / 2 ** 20;
  assert.ok(grown < 128, `the server has ${grown} MB more`);
  const kept = readdirSync(join(data, 'artifacts'), { recursive: true, encoding: 'utf8' });
  const bytes = kept.reduce((sum, name) => sum + statSync(join(data, 'artifacts', name)).size, 0);
  assert.ok(bytes < 10 * 2 ** 20, `${bytes} bytes are kept`);
});

test(
  'output without newlines',
  withServer(async ({ run }) => {
    const { answer, stdout } = await run({
      code: "head -c 3M /dev/zero | tr '\\0' x",
      outputMode: 'summary',
      queryTerms: ['xxx'],
    });
    assert.ok('stdoutSummary' in answer);
    assert.equal(answer.stdoutSummary, `${'x'.repeat(500)} [truncated]`);
    assert.equal(stdout, 'x'.repeat(3 * 2 ** 20));
  }),
);

test(
  'binary output is kept byte for byte, both streams apart',
  withServer(async ({ run, repo, runtimes }) => {
    const [out, err] = [randomBytes(2 ** 20), randomBytes(2 ** 20)];
    writeFileSync(join(repo, 'out.bin'), out);
    writeFileSync(join(repo, 'err.bin'), err);
    const { answer } = await run({ code: 'cat out.bin & cat err.bin >&2; wait' });
    const artifact = await runtimes.artifacts.open(answer.artifactHandle ?? '');
    assert.ok(artifact);
    const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
    for (const [stream, bytes] of [
      ['stdout', out],
      ['stderr', err],
    ] as const) {
      const kept = Buffer.concat(await Array.fromAsync(artifact.read(stream)));
      assert.equal(sha256(kept), sha256(bytes));
      assert.equal(artifact[stream].sha256, sha256(bytes));
    }
  }),
);

test(
  'names with newlines, quotes and other languages in them',
  withServer(async ({ run, repo }) => {
    for (const name of ['a\nb', '$(touch hacked)', '-rf', 'ä 世界', '"; touch hacked; "']) {
      mkdirSync(join(repo, name), { recursive: true });
      const { answer, stdout } = await run({ code: 'pwd; touch here', relativeCwd: name });
      assert.deepEqual([answer.status, stdout], ['success', `${join(repo, name)}\n`]);
      assert.deepEqual(readdirSync(join(repo, name)), ['here']);
    }
    assert.ok(!readdirSync(repo).includes('hacked'));
  }),
);
