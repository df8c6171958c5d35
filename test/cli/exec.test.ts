import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder, wholeFile } from '../cleanup.ts';
import { json, startServer } from '../server/running.ts';
import { cay, cayOnTerminal, type Ended, startCay } from './cay.ts';

const server = await startServer(wholeFile(), {
  args: ['--execution-timeout-limit', '120', '--max-concurrent-executions', '8'],
});
const url = ['--url', server.url];
const exec = (args: readonly string[], input = ''): Promise<Ended> => cay(['exec', ...args, ...url], input);
const execution = async (id: string) => json(await fetch(`${server.url}/api/executions/${id}`));
const endless = 'console.log("begun"); await new Promise((go) => setTimeout(go, 60_000));';

async function newest(): Promise<string> {
  const { executions } = await json(await fetch(`${server.url}/api/executions?limit=1`));
  return executions[0].execution_id;
}

describe('what is run', { concurrency: 3 }, () => {
  test('a file, standard input, or --code', async (t) => {
    const file = join(temporaryFolder(t), 'typed.ts');
    writeFileSync(file, 'const n: number = 41; n + 1');
    assert.deepEqual(await exec([file]), { code: 0, stdout: '42\n', stderr: '' });
    assert.equal((await exec(['-'], '"piped"')).stdout, '"piped"\n');
    assert.equal((await exec([], '"piped too"')).stdout, '"piped too"\n');
    assert.equal((await exec(['-e', '1 + 1'])).stdout, '2\n');
  });

  test('nothing is printed for undefined', async () => {
    assert.deepEqual(await exec(['-e', 'undefined']), { code: 0, stdout: '', stderr: '' });
  });

  test('--input is the global `input`, also from a file', async (t) => {
    const file = join(temporaryFolder(t), 'input.json');
    writeFileSync(file, '{"n": 3}');
    assert.equal((await exec(['-e', 'input.n * 2', '--input', '{"n": 2}'])).stdout, '4\n');
    assert.equal((await exec(['-e', 'input.n * 2', '--input', `@${file}`])).stdout, '6\n');
  });

  test('--session and --heap go on from the state before, and --tag finds it again', async () => {
    const session = ['--session', 'steps'];
    await exec(['-e', 'let count = 1', ...session]);
    const next = await exec([
      '-e',
      'count += 1',
      ...session,
      '--heap',
      'latest',
      '--tag',
      'step=two',
      '--tag',
      'a=b=c',
    ]);
    assert.deepEqual(next, { code: 0, stdout: '2\n', stderr: '' });
    const found = await cay(['heaps', '--tag', 'step=two', '--json', ...url]);
    const [{ heap, tags }] = JSON.parse(found.stdout).results;
    assert.deepEqual(tags, { step: 'two', a: 'b=c' });
    assert.equal((await exec(['-e', 'count', '--heap', heap.slice(0, 12)])).stdout, '2\n');
  });

  test('a tag may have any name, and stays when others are set', async () => {
    await exec(['-e', 'let odd = 1', '--tag', '__proto__=x', '--tag', 'constructor=y']);
    const { heap } = (await json(await fetch(`${server.url}/api/heaps?tag=__proto__:x`))).results[0];
    const { stdout } = await cay(['tags', heap, 'a=b', ...url]);
    assert.deepEqual(stdout.trim().split('\n').sort(), ['__proto__=x', 'a=b', 'constructor=y']);
    assert.match((await cay(['heaps', '--tag', '__proto__=x', ...url])).stdout, /__proto__=x/);
    assert.match((await cay(['tags', heap, '--delete', '__proto__', ...url])).stdout, /^(?!.*__proto__)/s);
  });

  test('--timeout and --memory are limits of the execution', async () => {
    const late = await exec(['-e', endless, '--timeout', '1']);
    assert.deepEqual(late, { code: 1, stdout: 'begun\n', stderr: 'Execution timed out\n' });
    const large = await exec(['-e', 'const all = []; for (;;) all.push({});', '--memory', '16']);
    assert.equal(large.code, 1);
    assert.match(large.stderr, /^Out of memory: /);
    const beyond = await exec(['-e', '1', '--timeout', '200']);
    assert.equal(beyond.code, 2, 'above what the owner of the server allows');
    assert.match(beyond.stderr, /120/);
  });
});

describe('how it ends', { concurrency: 3 }, () => {
  test('code that fails: the error on standard error, and exit code 1', async () => {
    const ended = await exec(['-e', 'console.log("before"); throw new TypeError("no")']);
    assert.deepEqual(ended, { code: 1, stdout: 'before\n', stderr: 'TypeError: no\n    at <eval>:1:30\n' });
  });

  test('a heap that is not there is said, and the code begins empty', async () => {
    const { code, stdout, stderr } = await exec(['-e', 'typeof x', '--heap', 'abcdefabcdef']);
    assert.deepEqual([code, stdout], [0, '"undefined"\n']);
    assert.equal(stderr, "Heap 'abcdefabcdef' was not found: the code began with an empty state\n");
    const first = await exec(['-e', '1', '--session', 'new', '--heap', 'latest']);
    assert.equal(first.stderr, 'The session has no heap yet: the code began with an empty state\n');
    const nowhere = await exec(['-e', '1', '--heap', 'latest']);
    assert.deepEqual([nowhere.code, nowhere.stdout], [2, '']);
    assert.match(nowhere.stderr, /^cay: --heap latest is the newest heap of a session: name it with --session\n/);
  });

  test('--json has the outcome and the output', async () => {
    const { code, stdout } = await exec(['-e', 'console.log("one"); console.log("two"); nope', '--json']);
    const { status, result, error, output } = JSON.parse(stdout);
    assert.deepEqual([code, status, result, output], [1, 'failed', null, 'one\ntwo\n']);
    assert.match(error, /^ReferenceError: nope is not defined/);
  });

  test('--detach prints the id at once, and the execution goes on', async () => {
    const { code, stdout, stderr } = await exec([
      '-e',
      'await new Promise((go) => setTimeout(go, 500)); 7',
      '--detach',
    ]);
    assert.deepEqual([code, stderr, stdout.split('\n').length], [0, '', 2]);
    const followed = await cay(['output', '-f', stdout.trim(), ...url]);
    assert.equal(followed.code, 0);
    assert.equal((await execution(stdout.trim())).result, '7');
    const asJson = JSON.parse((await exec(['-e', '1', '--detach', '--json'])).stdout);
    assert.deepEqual(Object.keys(asJson), ['execution_id']);
  });
});

test('output is shown as it comes, not when it ends', async (t) => {
  const running = startCay(t, ['exec', '-e', endless, ...url]);
  await running.seen(/begun\n/);
  assert.equal((await execution(await newest())).status, 'running');
  running.interrupt();
  const { code, stderr } = await running.ended;
  assert.deepEqual([code, stderr], [130, 'Cancelled by user\n']);
  assert.equal((await execution(await newest())).status, 'cancelled');
});

for (const [signal, expected] of [
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  test(`${signal} cancels it too, with exit code ${expected}`, async (t) => {
    const running = startCay(t, ['exec', '-e', endless, ...url]);
    await running.seen(/begun\n/);
    running.interrupt(signal);
    assert.equal((await running.ended).code, expected);
    assert.equal((await execution(await newest())).status, 'cancelled');
  });
}

test('on a terminal: progress while it runs, and Ctrl-C cancels it', async (t) => {
  const running = cayOnTerminal(t, ['exec', '-e', endless, ...url], { columns: 60 });
  await running.seen(/begun\r\n.*running, \d/s);
  running.write('\x03');
  const { code } = await running.ended;
  assert.equal(code, 130);
  assert.match(running.text, /Cancelled by user\r\ncancelled after .*, execution \S+\r\n$/);
  assert.equal((await execution(await newest())).status, 'cancelled');
});

test('what code prints cannot take over the terminal', async (t) => {
  const code = String.raw`console.log('\x1b[31mred\x1b[0m \x1b[2J\x1b]0;title\x07 end\ttab')`;
  const running = cayOnTerminal(t, ['exec', '-e', code, ...url]);
  await running.ended;
  assert.ok(running.stdout.startsWith('\x1b[31mred\x1b[0m \ufffd[2J\ufffd]0;title\ufffd end\ttab\r\n'), running.stdout);
  const piped = await exec(['-e', code]);
  assert.equal(piped.stdout, '\x1b[31mred\x1b[0m \x1b[2J\x1b]0;title\x07 end\ttab\n', 'a pipe gets what it was');
});

test('without a file, on a terminal, it says what it wants', async (t) => {
  const running = cayOnTerminal(t, ['exec', ...url]);
  assert.equal((await running.ended).code, 2);
  assert.match(running.text, /^cay: Expected a file, --code, or code on standard input\r\n$/);
});

test('a server without state answers as well', async (t) => {
  const stateless = await startServer(t, { args: ['--stateless'] });
  const there = ['--url', stateless.url];
  const ended = await cay(['exec', '-e', 'console.log("out"); [1]', ...there]);
  assert.deepEqual(ended, { code: 0, stdout: 'out\n[1]\n', stderr: '' });
  const failed = await cay(['exec', '-e', 'nope', '--json', ...there]);
  assert.deepEqual([failed.code, JSON.parse(failed.stdout).output], [1, '']);
  const listed = await cay(['executions', ...there]);
  assert.deepEqual([listed.code, listed.stdout], [1, '']);
  assert.match(listed.stderr, /^cay: GET \/api\/executions is not served here/);
});
