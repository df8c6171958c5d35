import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { wholeFile } from '../../cleanup.ts';
import { call } from '../../server/running.ts';
import { execute, type JobServer, jobClient, jobServer, queryOutput, shell } from './jobs.ts';

const file = wholeFile();
let server: JobServer;
let client: Client;
before(async () => {
  server = await jobServer(file);
  client = await jobClient(file, server);
});

const run = (given: Record<string, unknown>) => call(client, execute, { repoId: 'my-repo', ...given });
const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}`).join('\n');
const outputOf = async (code: string, given = {}) =>
  (await shell(client, code, { outputMode: 'summary', ...given })).stdoutSummary;

test('minimal, the default, has the common fields and the size of the output', async () => {
  const { durationMs, artifactHandle, policyDecision, ...answer } = await shell(client, 'echo a; echo é; echo e >&2');
  assert.deepEqual(answer, { status: 'success', exitCode: 0, signal: null, outputLines: 3, outputBytes: 7 });
  assert.ok(Number(durationMs) > 0);
  assert.match(String(artifactHandle), /^runtime-my-repo-\d{13}-[0-9a-f]{16}$/);
  const { auditHash, ...decision } = Object(policyDecision);
  assert.match(auditHash, /^[0-9a-f]{16}$/);
  assert.deepEqual(decision, { deniedReasons: [] });
});

const common = ['artifactHandle', 'durationMs', 'exitCode', 'policyDecision', 'signal', 'status'];
const added = {
  minimal: ['outputBytes', 'outputLines'],
  summary: ['excerpts', 'stderrSummary', 'stdoutSummary', 'truncation'],
  intent: ['excerpts', 'truncation'],
};
for (const [outputMode, fields] of Object.entries(added)) {
  test(`${outputMode} adds ${fields.join(', ')}, in success, failure and refusal`, async () => {
    const expected = [...common, ...fields].sort();
    assert.deepEqual(Object.keys(await shell(client, 'echo 1', { outputMode })).sort(), expected);
    assert.deepEqual(Object.keys(await shell(client, 'exit 1', { outputMode })).sort(), expected);
    assert.deepEqual(Object.keys(await shell(client, '', { outputMode, runtime: 'ruby' })).sort(), expected);
  });
}

test('summary has head and tail of stdout, the tail of stderr, excerpts and truncation', async () => {
  const code = 'for i in $(seq 1 30); do echo "line $i"; done; for i in $(seq 1 12); do echo "error $i" >&2; done';
  const answer = await shell(client, code, { outputMode: 'summary', maxResponseLines: 10, queryTerms: ['LINE 15'] });
  assert.equal(answer.stdoutSummary, `${lines(1, 5)}\n... (20 lines omitted) ...\n${lines(26, 30)}`);
  assert.equal(answer.stderrSummary, lines(3, 12).replaceAll('line', 'error'));
  assert.deepEqual(answer.excerpts, [{ lineStart: 12, lineEnd: 18, content: lines(12, 18), source: 'stdout' }]);
  assert.deepEqual(answer.truncation, {
    stdoutTruncated: true,
    stderrTruncated: true,
    totalStdoutBytes: 231,
    totalStderrBytes: 99,
  });
  const whole = await shell(client, code, { outputMode: 'summary' });
  assert.equal(whole.stdoutSummary, lines(1, 30));
  assert.deepEqual(whole.excerpts, []);
  const { stdoutTruncated, stderrTruncated } = Object(whole.truncation);
  assert.deepEqual([stdoutTruncated, stderrTruncated], [false, false]);
});

test('summary shows 100 lines unless it is told otherwise', async () => {
  const code = 'for i in $(seq 1 200); do echo "line $i"; done';
  assert.equal(await outputOf(code), `${lines(1, 50)}\n... (100 lines omitted) ...\n${lines(151, 200)}`);
  assert.equal(await outputOf(code, { maxResponseLines: 1000 }), lines(1, 200));
});

test('intent has the windows that match, of stdout first and of stderr, and nothing else', async () => {
  const code = 'for i in $(seq 1 20); do echo "line $i"; done; echo oops >&2';
  const answer = await shell(client, code, { outputMode: 'intent', queryTerms: ['Line 2', 'line 9', 'OOPS'] });
  assert.deepEqual(answer.excerpts, [
    // The windows of 2 and 9 touch, those of 9 and 20 do not.
    { lineStart: 1, lineEnd: 12, content: lines(1, 12), source: 'stdout' },
    { lineStart: 17, lineEnd: 20, content: lines(17, 20), source: 'stdout' },
    { lineStart: 1, lineEnd: 1, content: 'oops', source: 'stderr' },
  ]);
});

test('intent without terms or without matches is empty, and terms are no patterns', async () => {
  for (const queryTerms of [undefined, [], ['l.ne', 'nowhere']]) {
    assert.deepEqual((await shell(client, 'echo line', { outputMode: 'intent', queryTerms })).excerpts, []);
  }
});

test('at most ten excerpts come from execute', async () => {
  const code = 'for i in $(seq 1 200); do echo $((i % 10 == 0 ? 777 : 1)); done';
  const { excerpts } = await shell(client, code, { outputMode: 'intent', queryTerms: ['777'] });
  assert.equal(Object(excerpts).length, 10);
});

test('a line over 500 characters is cut in summaries and excerpts, and matched whole', async () => {
  const code = `printf 'x%.0s' $(seq 1 500); echo; printf 'y%.0s' $(seq 1 500); echo zend`;
  const answer = await shell(client, code, { outputMode: 'summary', queryTerms: ['zend'] });
  const cut = `${'x'.repeat(500)}\n${'y'.repeat(500)} [truncated]`;
  assert.equal(answer.stdoutSummary, cut);
  assert.deepEqual(answer.excerpts, [{ lineStart: 1, lineEnd: 2, content: cut, source: 'stdout' }]);
});

test('code and args: the code runs, the args are its arguments', async () => {
  assert.equal(await outputOf('echo "$1|$2|$#"', { args: ['a b', '$HOME'] }), 'a b|$HOME|2');
  const node = { runtime: 'node', code: 'console.log(process.argv.slice(2))', args: ['--x', '1'] };
  assert.equal((await run({ ...node, outputMode: 'summary' })).stdoutSummary, "[ '--x', '1' ]");
});

test('args alone are the arguments of the executable, also when there are none', async () => {
  const { stdoutSummary } = await run({ runtime: 'shell', args: ['-c', 'echo $0', 'zero'], outputMode: 'summary' });
  assert.equal(stdoutSummary, 'zero');
  assert.equal((await run({ runtime: 'shell', args: [] })).status, 'success');
});

test("the document's example: a test file of the repository", async () => {
  mkdirSync(join(server.repo, 'tests'), { recursive: true });
  const passing = "const { test } = require('node:test'); test('signs in', () => {});\n";
  writeFileSync(join(server.repo, 'tests/auth.test.ts'), passing);
  const example = { runtime: 'node', args: ['--test', 'tests/auth.test.ts'], outputMode: 'minimal', timeoutMs: 30000 };
  const passed = await run(example);
  assert.deepEqual([passed.status, passed.exitCode], ['success', 0]);
  writeFileSync(join(server.repo, 'tests/auth.test.ts'), passing.replace('{}', "{ throw new Error('no token') }"));
  const failed = await run(example);
  assert.deepEqual([failed.status, failed.exitCode], ['failure', 1]);
  const { excerpts } = await call(client, queryOutput, {
    artifactHandle: failed.artifactHandle,
    queryTerms: ['FAIL', 'Error'],
    maxExcerpts: 5,
    contextLines: 3,
  });
  assert.match(JSON.stringify(excerpts), /no token/);
});

test("the document's other example: a build that fails, then its output", async () => {
  mkdirSync(join(server.repo, 'scripts'), { recursive: true });
  const build = "console.log('building\\n'.repeat(20) + 'done'); throw new Error('Cannot find the sources')";
  writeFileSync(join(server.repo, 'scripts/build.js'), build);
  const built = await run({ runtime: 'node', args: ['scripts/build.js'], outputMode: 'minimal', timeoutMs: 120000 });
  assert.deepEqual([built.status, built.exitCode, built.signal], ['failure', 1, null]);
  const queryTerms = ['error', 'Error', 'failed', 'Cannot'];
  const found = await call(client, queryOutput, { artifactHandle: built.artifactHandle, queryTerms, contextLines: 5 });
  assert.match(JSON.stringify(found.excerpts), /Error: Cannot find the sources/);
  assert.deepEqual(found.searchedStreams, ['stdout', 'stderr']);
});

test('relativeCwd is a folder of the repository', async () => {
  assert.equal(await outputOf('basename "$PWD"', { relativeCwd: 'inner' }), 'inner');
  assert.equal(await outputOf('ls -d inner', { relativeCwd: './inner/..' }), 'inner');
  assert.equal(await outputOf('ls -d inner'), 'inner');
  symlinkSync('/etc', join(server.repo, 'outside'));
  symlinkSync('inner', join(server.repo, 'within'));
  assert.equal(await outputOf('true', { relativeCwd: 'within' }), '');
  for (const relativeCwd of ['..', '/etc', 'inner/../..', 'outside', 'nowhere', 'tests/auth.test.ts']) {
    const { status, exitCode, policyDecision } = await shell(client, 'true', { relativeCwd });
    assert.deepEqual([status, exitCode], ['denied', null], relativeCwd);
    assert.ok(Object(policyDecision).deniedReasons.join().includes(relativeCwd), JSON.stringify(policyDecision));
  }
});

test('a job that takes too long has timed out, and its output is kept', async () => {
  const began = performance.now();
  const late = await shell(client, 'echo begun; sleep 60 & sleep 60', { timeoutMs: 500, outputMode: 'summary' });
  assert.ok(performance.now() - began < 1500, 'within a second of the time-out');
  assert.deepEqual([late.status, late.exitCode, late.stdoutSummary], ['timeout', null, 'begun']);
  assert.ok(Number(late.durationMs) >= 500);
});

test('a job that dies of a signal says which', async () => {
  for (const name of ['SEGV', 'TERM', 'KILL']) {
    const { status, exitCode, signal } = await shell(client, `kill -${name} $$`);
    assert.deepEqual([status, exitCode, signal], ['failure', null, `SIG${name}`]);
  }
  const { exitCode, signal } = await shell(client, 'exit 139');
  assert.deepEqual([exitCode, signal], [139, null], 'a number that only looks like one');
});

test('without persistOutput there is no handle, and everything else is the same', async () => {
  const given = { persistOutput: false, outputMode: 'summary', queryTerms: ['here'] };
  const { artifactHandle, stdoutSummary, excerpts } = await shell(client, 'echo here', given);
  assert.deepEqual([artifactHandle, stdoutSummary], [null, 'here']);
  assert.equal(Object(excerpts).length, 1);
});

test('executable: one of the row of its runtime', async () => {
  assert.equal((await shell(client, 'true', { executable: 'bash' })).status, 'success');
  for (const executable of ['python3', 'rm', '/bin/sh', './bash']) {
    const { status, policyDecision } = await shell(client, 'true', { executable });
    assert.equal(status, 'denied', executable);
    assert.ok(Object(policyDecision).deniedReasons.join().includes(executable), JSON.stringify(policyDecision));
  }
});

test('denied: what the policy does not allow, in words, and nothing runs', async () => {
  const reasons = async (given: Record<string, unknown>) => {
    const answer = await shell(client, 'touch ran', given);
    assert.deepEqual([answer.status, answer.exitCode, answer.artifactHandle], ['denied', null, null]);
    return Object(answer.policyDecision).deniedReasons.join('\n');
  };
  assert.match(await reasons({ repoId: 'other' }), /other.*cay repo add/s);
  assert.match(await reasons({ runtime: 'ruby' }), /ruby.*allowedRuntimes/s);
  assert.equal(await outputOf('ls ran 2>/dev/null'), '');
});

test('the environment is scrubbed', async () => {
  const names = String(await outputOf('env | cut -d= -f1 | sort')).split('\n');
  for (const name of names) assert.match(name, /^(PATH|HOME|TMPDIR|LANG|PWD|OLDPWD|SHLVL|_)$/);
});

test('unicode goes in and comes out', async () => {
  assert.equal(await outputOf('echo "äöü€😀 $1"', { args: ['日本'] }), 'äöü€😀 日本');
});
