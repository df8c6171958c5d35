import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../cleanup.ts';
import { cay } from '../../cli/cay.ts';
import { execute, type JobServer, jobClient, jobServer, shell, untilJobs } from './jobs.ts';

async function clientWith(t: TestContext, runtime: Record<string, unknown>, env: NodeJS.ProcessEnv = {}) {
  return jobClient(t, await jobServer(t, { runtime, env }));
}

const reasonsOf = (answer: Record<string, unknown>): string => {
  assert.deepEqual([answer.status, answer.exitCode], ['denied', null]);
  return Object(answer.policyDecision).deniedReasons.join('\n');
};

test('defaultTimeoutMs is for jobs that ask for none, maxTimeoutMs for those that ask for more', async (t) => {
  const client = await clientWith(t, { defaultTimeoutMs: 300, maxTimeoutMs: 1000 });
  const late = await shell(client, 'sleep 30');
  assert.equal(late.status, 'timeout');
  assert.ok(Number(late.durationMs) >= 300 && Number(late.durationMs) < 1000, String(late.durationMs));
  assert.equal((await shell(client, 'sleep 0.4', { timeoutMs: 1000 })).status, 'success');
  assert.match(reasonsOf(await shell(client, 'true', { timeoutMs: 1001 })), /1001.*maxTimeoutMs.*1000/s);
  const { tools } = await client.listTools();
  const { timeoutMs } = Object(tools.find(({ name }) => name === execute)?.inputSchema.properties);
  assert.match(timeoutMs.description, /default 300, at most 1000/);
});

test('a default above the most is the most', async (t) => {
  const client = await clientWith(t, { maxTimeoutMs: 300 });
  const { status, durationMs } = await shell(client, 'sleep 30');
  assert.equal(status, 'timeout');
  assert.ok(Number(durationMs) < 1500);
});

test('allowedRuntimes and allowedExecutables', async (t) => {
  const client = await clientWith(t, { allowedRuntimes: ['shell', 'node'], allowedExecutables: ['bash'] });
  assert.equal((await shell(client, 'true')).status, 'success');
  assert.match(reasonsOf(await shell(client, '1', { runtime: 'python' })), /python.*allowedRuntimes/s);
  assert.match(reasonsOf(await shell(client, '1', { runtime: 'node' })), /allowedExecutables/);
});

test('everything that is wrong is said at once', async (t) => {
  const client = await clientWith(t, { maxTimeoutMs: 1000 });
  const reasons = reasonsOf(await shell(client, '1', { runtime: 'ruby', repoId: 'other', timeoutMs: 5000 }));
  for (const part of ['ruby', 'other', '5000']) assert.ok(reasons.includes(part), reasons);
});

test('a repository that is added while a server runs is there at its next start, and until then a denial says so', async (t) => {
  const server = await jobServer(t);
  const added = await cay(['repo', 'add', 'second', temporaryFolder(t), '--data-dir', server.folder]);
  assert.equal(added.code, 0, added.stderr);
  const inSecond = async (running: JobServer) => shell(await jobClient(t, running), 'true', { repoId: 'second' });
  assert.equal(
    reasonsOf(await inSecond(server)),
    "Repository 'second' is not registered (there are: my-repo): cay repo add second PATH; " +
      'a server that is running takes it up at its next start',
  );
  await server.stop();
  assert.equal((await inSecond(await jobServer(t, { folder: server.folder }))).status, 'success');
});

test('envAllowlist lets variables of the server through, and no others', async (t) => {
  const client = await clientWith(t, { envAllowlist: ['CI_TOKEN', 'ABSENT'] }, { CI_TOKEN: 'x y', OTHER_SECRET: 'z' });
  const code = 'echo "$CI_TOKEN,$OTHER_SECRET,${ABSENT-unset}"';
  assert.equal((await shell(client, code, { outputMode: 'summary' })).stdoutSummary, 'x y,,unset');
});

test('without bubblewrap jobs are denied with what to install, unless the owner wants no jail', async (t) => {
  const bin = temporaryFolder(t);
  symlinkSync('/bin/bash', join(bin, 'bash'));
  const denied = reasonsOf(await shell(await clientWith(t, {}, { PATH: bin }), 'true'));
  assert.match(denied, /bubblewrap.*install/s);
  assert.match(denied, /runtime\.sandbox/);
  const client = await clientWith(t, { sandbox: 'none' }, { PATH: bin });
  const answer = await shell(client, 'echo free; kill -SEGV $$', { outputMode: 'summary' });
  assert.deepEqual([answer.stdoutSummary, answer.exitCode, answer.signal], ['free', null, 'SIGSEGV']);
});

test('an output larger than maxArtifactMb is truncated, and says so', async (t) => {
  const client = await clientWith(t, { maxArtifactMb: 1 });
  const code = 'echo first; head -c 3000000 /dev/zero | tr "\\0" x; echo; echo last; echo small >&2';
  const given = { outputMode: 'intent', queryTerms: ['first', 'last'] };
  const { truncation, excerpts } = await shell(client, code, given);
  assert.deepEqual(truncation, {
    stdoutTruncated: true,
    stderrTruncated: false,
    totalStdoutBytes: 3_000_012,
    totalStderrBytes: 6,
  });
  const content = `first\n${'x'.repeat(500)} [truncated]\nlast`;
  assert.deepEqual(excerpts, [{ lineStart: 1, lineEnd: 3, content, source: 'stdout' }]);
});

test('past maxConcurrentJobs a job waits, which does not count, and is denied after 30 s', async (t) => {
  const server = await jobServer(t, { runtime: { maxConcurrentJobs: 1, defaultTimeoutMs: 60_000 } });
  const client = await jobClient(t, server);
  const first = shell(client, 'sleep 1');
  await untilJobs(server, ([one]) => one?.state === 'running');
  const waited = await shell(client, 'sleep 0.1', { timeoutMs: 900 });
  assert.equal(waited.status, 'success', 'it waited for longer than its time-out');
  assert.ok(Number(waited.durationMs) < 900);
  await first;
  const long = shell(client, 'sleep 32; echo done');
  await untilJobs(server, ([one]) => one?.state === 'running');
  const began = performance.now();
  assert.match(reasonsOf(await shell(client, 'true')), /concurrency/i);
  const seconds = (performance.now() - began) / 1000;
  assert.ok(seconds > 29 && seconds < 32, `${seconds} s`);
  assert.equal((await long).status, 'success');
});
