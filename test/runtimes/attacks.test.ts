// More of what a job may try, found by trying: with what the machine shares with it, with other jobs, and with its launcher.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { installationOf } from '../../src/runtimes/executables/installation.ts';
import { Devices } from '../../src/runtimes/jail/devices.ts';
import { temporaryFolder } from '../cleanup.ts';
import { openRuntimes, withRuntimes } from './server.ts';

const withServer = withRuntimes();

test(
  'the devices of the machine can be used, and not be taken from others',
  withServer(async ({ run }) => {
    const names = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];
    const modes = () => names.map((name) => statSync(join('/dev', name)).mode);
    const before = modes();
    // The mode that they have: should it work, nothing is broken.
    const tried = names.map((name) => `chmod 666 /dev/${name} && echo changed ${name}`).join('\n');
    const used =
      'echo x > /dev/null && head -c 2 /dev/zero | wc -c; head -c 2 /dev/urandom | wc -c; echo x > /dev/full || echo full';
    const { stdout } = await run({ code: `${tried}\n${used}` });
    assert.equal(stdout, '2\n2\nfull\n');
    assert.deepEqual(modes(), before);
  }),
);

test('a repository inside of another is not followed to where a job has led it', async (context) => {
  const { run, repo, folder } = await openRuntimes(
    context,
    {},
    {
      prepare: (repo) => mkdirSync(join(repo, 'packages/inner'), { recursive: true }),
      otherRepos: { inner: 'repo/packages/inner' },
    },
  );
  const outside = join(folder, 'outside');
  mkdirSync(outside);
  assert.equal((await run({ repoId: 'inner', code: 'touch fine' })).answer.status, 'success');
  await run({ code: `mv packages/inner packages/moved; ln -s ${outside} packages/inner` });
  const { answer } = await run({ repoId: 'inner', code: 'touch planted' });
  assert.equal(answer.status, 'denied');
  assert.match(answer.policyDecision.deniedReasons.join(), /leads to '.*outside', and led to '.*packages\/inner'/);
  assert.deepEqual(readdirSync(outside), []);
  assert.ok(existsSync(join(repo, 'packages/moved/fine')));
});

test('a repository in the data folder of the server is denied', async (context) => {
  const { run, data } = await openRuntimes(context, {}, { otherRepos: { data: 'data', jobs: 'data/jobs' } });
  for (const repoId of ['data', 'jobs']) {
    const { answer } = await run({ repoId, code: 'touch planted' });
    assert.equal(answer.status, 'denied');
    assert.match(answer.policyDecision.deniedReasons.join(), /is in the data folder/);
  }
  assert.ok(!existsSync(join(data, 'planted')) && !existsSync(join(data, 'jobs/planted')));
});

test('a data folder deep in the repository cannot be moved to where it is seen', async (context) => {
  const { run, data } = await openRuntimes(context, {}, { dataAt: 'repo/var/lib/data' });
  const code =
    'for f in var var/lib var/lib/data; do perl -e "rename(\\$ARGV[0], q(moved)) and print qq(moved\\n)" $f; done; ls -A . var var/lib var/lib/data; touch var/lib/x';
  const { stdout, answer } = await run({ code });
  assert.equal(stdout, '.:\nvar\n\nvar:\nlib\n\nvar/lib:\ndata\n\nvar/lib/data:\n');
  assert.equal(answer.status, 'success');
  assert.ok(existsSync(join(data, '../x')) && readdirSync(data).includes('jail'));
});

test('memory that only the kernel needs for a job counts', async (context) => {
  const { run } = await openRuntimes(context, { memoryMb: 200 });
  const code = `
    #include <sys/mman.h>
    #include <unistd.h>
    int main() {
      size_t size = 150ul << 30;
      char* all = mmap(0, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      madvise(all, size, MADV_NOHUGEPAGE);
      for (size_t at = 0; at < size; at += 2 << 20) *(volatile char*)(all + at);
      sleep(60);
    }`;
  const { answer } = await run({ runtime: 'c', code, timeoutMs: 30_000 });
  assert.match(answer.policyDecision.deniedReasons.join(), /more than 200 MB of memory/);
});

test('a job that uses up the files of the disk is ended', async (context) => {
  const folder = temporaryFolder(context);
  const mounted = 'mount -t tmpfs -o size=200m,nr_inodes=10000 cay "$TMPDIR" && exec "$@"';
  const program = join(import.meta.dirname, 'faults/few-files.ts');
  const command = ['-rm', 'sh', '-c', mounted, 'sh', process.execPath, program];
  const env = { ...process.env, TMPDIR: folder };
  const { stdout } = await promisify(execFile)('unshare', command, { env, timeout: 60_000 });
  const expected = { status: 'failure', reasons: ['The job had nearly filled the disk, and was ended'] };
  assert.deepEqual(JSON.parse(stdout), expected);
});

test('a job that has given its output to another one is not waited for longer than its time', async (context) => {
  const { run } = await openRuntimes(context, { maxConcurrentJobs: 2 });
  const taker = `
import socket, time
door = socket.socket(socket.AF_UNIX)
door.bind('door')
door.listen()
giver = door.accept()[0]
taken = socket.recv_fds(giver, 1, 1)
giver.send(b'x')
time.sleep(40)`;
  const giver = `
import socket, time
taker = socket.socket(socket.AF_UNIX)
while True:
  try: taker.connect('door'); break
  except OSError: time.sleep(0.02)
socket.send_fds(taker, [b'x'], [1])
taker.recv(1)
print('given')`;
  await run({ runtime: 'python', code: 'pass' }); // what it is asked the first time does not count
  const stop = new AbortController();
  const taking = run({ runtime: 'python', code: taker }, { signal: stop.signal });
  const began = performance.now();
  const { answer, stdout } = await run({ runtime: 'python', code: giver, timeoutMs: 3000 });
  const took = performance.now() - began;
  stop.abort();
  await taking;
  assert.deepEqual([answer.status, stdout], ['success', 'given\n']);
  assert.ok(took < 20_000, `answered after ${took} ms`);
});

/** One that has ended, and that nobody has waited for yet, has no command line. */
function isAlive(id: string): boolean {
  const path = `/proc/${id}/cmdline`;
  return existsSync(path) && readFileSync(path, 'utf8') !== '';
}

test('none: a job that stops its launcher is ended all the same', async (context) => {
  const { run, repo } = await openRuntimes(context, { sandbox: 'none' });
  const began = performance.now();
  const { answer } = await run({
    code: 'setsid sleep 600 & echo $! > id; kill -STOP $PPID; sleep 600',
    timeoutMs: 2000,
  });
  const took = performance.now() - began;
  assert.equal(answer.status, 'timeout');
  assert.ok(took < 10_000, `answered after ${took} ms`);
  assert.ok(!isAlive(readFileSync(join(repo, 'id'), 'utf8').trim()));
});

test('none: a job that kills its launcher ends with it', async (context) => {
  const { run, repo } = await openRuntimes(context, { sandbox: 'none' });
  const began = performance.now();
  const { answer } = await run({ code: 'echo $$ > id; kill -KILL $PPID; exec sleep 600', timeoutMs: 30_000 });
  assert.equal(answer.status, 'failure');
  assert.match(answer.policyDecision.deniedReasons.join(), /What watched over the job was killed/);
  assert.ok(performance.now() - began < 20_000);
  assert.ok(!isAlive(readFileSync(join(repo, 'id'), 'utf8').trim()));
});

test('none: what is typed at the terminal of the server does not reach who watches over a job', async (context) => {
  const { run } = await openRuntimes(context, { sandbox: 'none' });
  const session = 'cut -d" " -f6 /proc/$PPID/stat';
  const own = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ')[3];
  assert.notEqual((await run({ code: session })).stdout.trim(), own);
});

test('none: what a job had started ends, though it killed its launcher or who is behind it', async (context) => {
  const { run, repo } = await openRuntimes(context, { sandbox: 'none' });
  const stray = 'setsid sleep 600 & echo $! > id';
  const behind = '$(cut -d" " -f4 /proc/$PPID/stat)';
  for (const watcher of ['$PPID', behind]) {
    const { answer } = await run({ code: `${stray}; kill -KILL ${watcher}; exec sleep 600`, timeoutMs: 30_000 });
    assert.equal(answer.status, 'failure');
    assert.match(answer.policyDecision.deniedReasons.join(), /What watched over the job was killed/);
    assert.ok(!isAlive(readFileSync(join(repo, 'id'), 'utf8').trim()), watcher);
  }
});

for (const sandbox of ['bubblewrap', 'none'] as const)
  test(`${sandbox}: when memory runs out the job goes before everybody else`, async (context) => {
    const { run } = await openRuntimes(context, { sandbox });
    const code = 'cat /proc/self/oom_score_adj; sh -c "cat /proc/self/oom_score_adj"';
    assert.equal((await run({ code })).stdout, '1000\n1000\n');
    assert.notEqual(readFileSync('/proc/self/oom_score_adj', 'utf8'), '1000\n');
  });

test('a job that the server could not start is in the audit', async (context) => {
  const { run, runtimes, data } = await openRuntimes(context);
  renameSync(join(data, 'jail/launch'), join(data, 'jail/elsewhere'));
  await assert.rejects(run({ code: 'true' }), /No such file/);
  renameSync(join(data, 'jail/elsewhere'), join(data, 'jail/launch'));
  const [record] = await runtimes.audit.list({ limit: 1 });
  assert.equal(record?.kind, 'refused');
  assert.match(JSON.stringify(record?.details), /The server could not start it: No such file/);
  assert.equal((await run({ code: 'true' })).answer.status, 'success');
  assert.equal((await runtimes.audit.verify()).ok, true);
});

test('device nodes of their own that jobs cannot have are said to be missing', async () => {
  const { mounts, problem } = await new Devices('/dev/null/none').make();
  assert.deepEqual(mounts, []);
  if (process.getuid?.() === 0) assert.match(problem ?? '', /ENOTDIR/);
  else assert.equal(problem, null);
});

test("a program in ~/.local does not bring the user's data into the jail", async (context) => {
  const folder = temporaryFolder(context);
  for (const name of ['bin', 'lib', 'share/keyrings']) mkdirSync(join(folder, '.local', name), { recursive: true });
  const tool = join(folder, '.local/bin/tool');
  writeFileSync(tool, '', { mode: 0o755 });
  assert.deepEqual(installationOf(tool, [join(folder, '.local')]), [
    join(folder, '.local/bin'),
    join(folder, '.local/lib'),
  ]);
});

test('what a job has made read-only is removed all the same', async (context) => {
  const folder = temporaryFolder(context);
  const module = join(import.meta.dirname, '../../src/runtimes/remove-tree.ts');
  const program = `import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
    import { removeTree } from '${module}';
    mkdirSync('${folder}/tree/a/b', { recursive: true });
    writeFileSync('${folder}/tree/a/b/file', '');
    for (const path of ['a/b', 'a']) chmodSync('${folder}/tree/' + path, 0o500);
    await removeTree('${folder}/tree');
    process.exit(existsSync('${folder}/tree') ? 1 : 0);`;
  chmodSync(folder, 0o777);
  // Root may remove what is read-only; nobody may not.
  const asNobody = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : ['env'];
  const [first = '', ...others] = [...asNobody, process.execPath, '--input-type=module', '-e', program];
  await promisify(execFile)(first, others);
});
