import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cay, type Ended, startCay } from '../../cli/cay.ts';
import { dataFolder, jobServer, request } from './jobs.ts';

const answerOf = ({ stdout, stderr }: Ended) => {
  assert.equal(stderr, '');
  return JSON.parse(stdout);
};

test('cay runtime run needs no server, and no runtime.enabled', async (t) => {
  const { folder } = dataFolder(t, { runtime: { enabled: false } });
  const run = (...args: string[]) => cay(['runtime', 'run', '--data-dir', folder, '--repo', 'my-repo', ...args]);
  const first = await run('--runtime', 'shell', '--code', 'echo found; echo more >&2');
  const { status, exitCode, outputLines, outputBytes, artifactHandle } = answerOf(first);
  assert.deepEqual([first.code, status, exitCode, outputLines, outputBytes], [0, 'success', 0, 2, 11]);
  const query = await cay(['runtime', 'query', artifactHandle, 'FOUND', 'more', '--data-dir', folder]);
  assert.equal(query.code, 0);
  assert.deepEqual(answerOf(query).excerpts, [
    { lineStart: 1, lineEnd: 1, content: 'found', source: 'stdout' },
    { lineStart: 1, lineEnd: 1, content: 'more', source: 'stderr' },
  ]);
  const failed = await run('--runtime', 'shell', '--code', 'exit 3');
  assert.deepEqual([failed.code, answerOf(failed).exitCode], [1, 3]);
  const denied = await run('--runtime', 'ruby', '--code', '1');
  assert.deepEqual([denied.code, answerOf(denied).status], [1, 'denied'], 'the rest of the policy holds');
});

test('cay runtime run: each flag is a parameter of the tool', async (t) => {
  const { folder, repo } = dataFolder(t);
  const code = join(folder, 'code.sh');
  writeFileSync(code, 'seq 1 50; basename "$PWD"; echo "$1"');
  const base = ['runtime', 'run', '--data-dir', folder, '--repo', 'my-repo', '--runtime', 'shell', '--mode', 'summary'];
  const all = ['--executable', 'bash', '--cwd', 'inner', '--timeout', '20000', '--lines', '10', '--no-persist'];
  const answer = answerOf(await cay([...base, '--file', code, ...all, '--term', '33', '--term', 'inner', '--', '--x']));
  assert.equal(answer.stdoutSummary, '1\n2\n3\n4\n5\n... (42 lines omitted) ...\n48\n49\n50\ninner\n--x');
  assert.equal(answer.artifactHandle, null);
  assert.deepEqual(
    answer.excerpts.map(({ lineStart, lineEnd }: { lineStart: number; lineEnd: number }) => [lineStart, lineEnd]),
    [
      [30, 36],
      [48, 52],
    ],
  );
  assert.equal(answerOf(await cay([...base, '--file', '-'], 'echo piped')).stdoutSummary, 'piped');
  writeFileSync(join(repo, 'script.sh'), 'echo "ran $1"');
  assert.equal(answerOf(await cay([...base, '--', 'script.sh', '-v'])).stdoutSummary, 'ran -v');
  const late = await cay([...base, '--timeout', '200', '--code', 'sleep 30']);
  assert.deepEqual([late.code, answerOf(late).status], [1, 'timeout']);
});

test('refused: what the tool would refuse, and flags that do not go together', async (t) => {
  const { folder } = dataFolder(t);
  const refused = async (...args: string[]) => {
    const { code, stdout, stderr } = await cay(['runtime', ...args, '--data-dir', folder]);
    assert.deepEqual([code, stdout], [2, '']);
    return stderr;
  };
  const run = ['run', '--repo', 'my-repo', '--runtime', 'shell'];
  assert.match(await refused(...run), /^cay: code: expected code to run, or args/);
  assert.match(
    await refused(...run, '--code', '1', '--timeout', '5'),
    /^cay: timeoutMs: expected a whole number from 100/,
  );
  assert.match(await refused(...run, '--code', '1', '--timeout', 'soon'), /--timeout <ms>.*whole number/);
  assert.match(await refused(...run, '--code', '1', '--file', 'x'), /cannot be used with option/);
  assert.match(await refused(...run, '--code', '1', '--mode', 'all'), /Allowed choices are minimal, summary, intent/);
  assert.match(await refused('run', '--repo', 'x', '--runtime', 'cobol'), /Allowed choices are node, .*elixir/);
  assert.match(await refused('run', '--runtime', 'node', '--code', '1'), /required option '--repo <id>'/);
  assert.match(await refused(...run, '--file', '/nowhere/x'), /^cay: Cannot read \/nowhere\/x: no such file/);
  assert.match(await refused('query', 'handle'), /missing required argument 'terms'/);
});

test('an unknown handle is refused', async (t) => {
  const { folder } = dataFolder(t);
  const { code, stdout, stderr } = await cay(['runtime', 'query', 'nothing', 'x', '--data-dir', folder]);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^cay: Artifact 'nothing' not found/);
});

test('where a server has the folder, its REST API is asked', async (t) => {
  const server = await jobServer(t, { args: ['--auth-token', 'secret'] });
  const env = { CAY_URL: server.url, CAY_AUTH_TOKEN: 'secret' };
  const where = ['--data-dir', server.folder];
  const run = ['runtime', 'run', ...where, '--repo', 'my-repo', '--runtime', 'shell', '--code'];
  const { artifactHandle, status } = answerOf(await cay([...run, 'echo served'], '', env));
  assert.equal(status, 'success');
  const query = ['runtime', 'query', artifactHandle, 'served', '--url', server.url, '--auth-token', 'secret'];
  assert.equal(answerOf(await cay(query)).excerpts.length, 1);
  assert.equal(answerOf(await cay(['runtime', 'list', '--json'], '', env)).runtimes.length, 16);
  const wrong = await cay([...run, 'true'], '', { ...env, CAY_AUTH_TOKEN: 'wrong' });
  assert.deepEqual([wrong.code, wrong.stdout], [1, '']);
  assert.match(wrong.stderr, /bearer token/);
  const gone = await cay([...run, 'true'], '', { CAY_URL: 'http://127.0.0.1:1' });
  assert.equal(gone.code, 1);
  assert.match(gone.stderr, /^cay: Cannot reach a Cay server at http:\/\/127\.0\.0\.1:1: .*--url/);
  const found = await cay([...run, 'true'], '', { CAY_HTTP_PORT: '1', CAY_AUTH_TOKEN: 'secret' });
  assert.equal(answerOf(found).status, 'success', 'the folder says where its server is');
});

test('a server without a port has the folder and cannot be asked', async (t) => {
  const { folder } = dataFolder(t);
  const server = startCay(t, ['serve', '--data-dir', folder]);
  server.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`);
  await server.seen(/"id":1/);
  const run = ['runtime', 'run', '--data-dir', folder, '--repo', 'my-repo', '--runtime', 'shell', '--code', 'true'];
  const { code, stderr } = await cay(run, '', { CAY_HTTP_PORT: '1' });
  assert.equal(code, 2);
  assert.match(
    stderr,
    /^cay: The data folder .* is in use, .* Cannot reach a Cay server at .*:1: .* no server with a port has .*--url/,
  );
});

test('the folder and the token of the configuration lead to the server that has the folder', async (t) => {
  const { folder } = dataFolder(t, { more: { auth_token: 'secret' } });
  await jobServer(t, { folder });
  const run = ['runtime', 'run', '--data-dir', folder, '--repo', 'my-repo', '--runtime', 'shell', '--code', 'true'];
  assert.equal(answerOf(await cay(run)).status, 'success');
});

test('Ctrl-C cancels the job, with a server and without', async (t) => {
  const own = dataFolder(t);
  const server = await jobServer(t);
  for (const [folder, ...more] of [[own.folder], [server.folder, '--url', server.url]]) {
    const where = ['--data-dir', folder ?? '', ...more];
    const given = ['--repo', 'my-repo', '--runtime', 'shell', '--code', 'sleep 60'];
    const started = startCay(t, ['runtime', 'run', ...where, ...given]);
    while (!(await auditLines(folder ?? '')).includes(' start '));
    started.interrupt();
    const { code } = await started.ended;
    assert.equal(code, 130);
    while (!(await auditLines(folder ?? '')).includes('cancelled'));
  }
});

const auditLines = async (folder: string) => (await cay(['audit', 'list', '--data-dir', folder])).stdout;

test('cay runtime list: one line a runtime', async (t) => {
  const { folder } = dataFolder(t, { runtime: { allowedRuntimes: ['node', 'go'] } });
  const { stdout, code } = await cay(['runtime', 'list', '--data-dir', folder]);
  const lines = stdout.trimEnd().split('\n');
  assert.deepEqual([code, lines.length], [0, 16]);
  assert.match(lines[0] ?? '', /^node +allowed +\d+\.\d+\.\d+, \//);
  assert.match(lines[2] ?? '', /^python +not allowed +/);
});

test('cay runtime list: where a server has the folder, what that server would run', async (t) => {
  const { folder } = dataFolder(t);
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'perl'), '#!/bin/sh\necho 99.1.2\n', { mode: 0o755 });
  const server = await jobServer(t, { folder, env: { PATH: `${bin}:${process.env.PATH}` } });
  const perl = async () => {
    const { runtimes } = answerOf(await cay(['runtime', 'list', '--json', '--data-dir', folder]));
    return runtimes.find(({ runtime }: { runtime: string }) => runtime === 'perl');
  };
  const { body } = await request(server, 'GET', '/api/runtimes');
  assert.deepEqual(
    await perl(),
    body.runtimes.find(({ runtime }: { runtime: string }) => runtime === 'perl'),
  );
  assert.equal((await perl()).version, '99.1.2');
  await server.stop();
  assert.notEqual((await perl()).version, '99.1.2', 'without a server it looks itself');
});

test('a reader that has had enough ends it quietly', async (t) => {
  const { folder } = dataFolder(t);
  const started = startCay(t, ['runtime', 'list', '--data-dir', folder]);
  started.stopReading();
  const { code, stderr } = await started.ended;
  assert.deepEqual([code, stderr], [141, '']);
});

test('what the command line ran is in the audit log and readable by a server that starts later', async (t) => {
  const { folder } = dataFolder(t);
  const run = [
    'runtime',
    'run',
    '--data-dir',
    folder,
    '--repo',
    'my-repo',
    '--runtime',
    'shell',
    '--code',
    'echo kept',
  ];
  const { artifactHandle } = answerOf(await cay(run));
  const server = await jobServer(t, { folder });
  const { body } = await request(server, 'POST', '/api/runtime/query-output', { artifactHandle, queryTerms: ['kept'] });
  assert.equal(body.excerpts.length, 1);
  const { body: audit } = await request(server, 'GET', '/api/audit');
  assert.deepEqual(
    audit.records.map(({ kind }: { kind: string }) => kind),
    ['end', 'start'],
  );
});
