import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { wholeFile } from '../../cleanup.ts';
import { json } from '../../server/running.ts';
import { execute, type JobServer, jobClient, jobServer, request, shell, untilJobs } from './jobs.ts';

const file = wholeFile();
let server: JobServer;
let client: Client;
before(async () => {
  server = await jobServer(file, { runtime: { maxConcurrentJobs: 1 } });
  client = await jobClient(file, server);
});

const job = { repoId: 'my-repo', runtime: 'shell' };
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test('POST /api/runtime/execute answers as the tool does', async () => {
  const given = { ...job, code: 'echo hi', outputMode: 'summary' };
  const { status, body } = await request(server, 'POST', '/api/runtime/execute', given);
  assert.deepEqual([status, body.status, body.stdoutSummary], [200, 'success', 'hi']);
  const denied = await request(server, 'POST', '/api/runtime/execute', { ...given, runtime: 'ruby' });
  assert.deepEqual([denied.status, denied.body.status], [200, 'denied']);
});

test('GET /api/runtimes lists the sixteen with what is installed', async () => {
  const { status, body } = await request(server, 'GET', '/api/runtimes');
  assert.deepEqual([status, body.enabled, body.sandbox, body.runtimes.length], [200, true, 'bubblewrap', 16]);
  const node = body.runtimes.find((one: { runtime: string }) => one.runtime === 'node');
  assert.deepEqual([node.allowed, node.executables], [true, ['node', 'bun']]);
  assert.match(node.version, /\d+\.\d+\.\d+/);
  const ruby = body.runtimes.find((one: { runtime: string }) => one.runtime === 'ruby');
  assert.equal(ruby.allowed, false);
  for (const one of body.runtimes) assert.equal(one.executable === null, one.version === null, one.runtime);
});

test('jobs are listed while they wait and run, and cancelled by their id', async () => {
  const first = shell(client, 'echo begun; sleep 60');
  await untilJobs(server, ([one]) => one?.state === 'running');
  const second = shell(client, 'sleep 60');
  const jobs = await untilJobs(server, ({ length }) => length === 2);
  assert.deepEqual(
    jobs.map(({ repoId, runtime, state, timeoutMs }) => ({ repoId, runtime, state, timeoutMs })),
    ['running', 'waiting'].map((state) => ({ ...job, state, timeoutMs: 30_000 })),
  );
  assert.match(jobs[0]?.requestedAt ?? '', iso);
  assert.match(jobs[0]?.startedAt ?? '', iso);
  assert.equal(jobs[1]?.startedAt, null);
  for (const { jobId } of jobs.toReversed()) {
    const answer = await request(server, 'POST', `/api/runtime/jobs/${jobId}/cancel`);
    assert.deepEqual(answer, { status: 200, body: { ok: true } });
    const again = await request(server, 'POST', `/api/runtime/jobs/${jobId}/cancel`);
    assert.deepEqual(again, { status: 404, body: { ok: false, error: `Job '${jobId}' not found` } });
  }
  const [ran, waited] = await Promise.all([first, second]);
  assert.deepEqual([ran.status, ran.exitCode, ran.outputLines], ['cancelled', null, 1]);
  assert.deepEqual([waited.status, waited.exitCode], ['cancelled', null]);
  assert.deepEqual((await request(server, 'GET', '/api/runtime/jobs')).body, { jobs: [] });
});

test('a job is cancelled when its REST caller goes away', async () => {
  const abort = new AbortController();
  const body = JSON.stringify({ ...job, code: 'sleep 60' });
  const called = fetch(`${server.url}/api/runtime/execute`, { method: 'POST', body, signal: abort.signal });
  await untilJobs(server, ([one]) => one?.state === 'running');
  abort.abort();
  await assert.rejects(called, { name: 'AbortError' });
  await untilJobs(server, ({ length }) => length === 0);
  const { body: audit } = await request(server, 'GET', '/api/audit?limit=1');
  assert.deepEqual([audit.records[0].kind, audit.records[0].details.status], ['end', 'cancelled']);
});

test('GET /api/audit: newest first, a page at a time, each with the hash of the one before', async () => {
  const { policyDecision } = await shell(client, 'exit 3', { args: ['secret'] });
  await shell(client, 'true', { runtime: 'ruby' });
  const { body } = await request(server, 'GET', '/api/audit');
  const [refusal, end, start] = body.records;
  assert.deepEqual([refusal.kind, end.kind, start.kind], ['refused', 'end', 'start']);
  assert.equal(start.job, end.job);
  assert.deepEqual([end.details.status, end.details.exitCode], ['failure', 3]);
  assert.equal(end.hash.slice(0, 16), Object(policyDecision).auditHash);
  for (const { at, hash } of body.records) {
    assert.match(at, iso);
    assert.match(hash, /^[0-9a-f]{64}$/);
  }
  const paged: unknown[] = [];
  for (let before: number | null = null; ; ) {
    const path: string = `/api/audit?limit=2${before === null ? '' : `&before=${before}`}`;
    const page = (await request(server, 'GET', path)).body;
    paged.push(...page.records);
    before = page.next_before;
    if (before === null) break;
  }
  assert.deepEqual(paged, body.records);
  paged.forEach((one, index) => {
    const { sequence, previous } = Object(one);
    const older = Object(paged[index + 1]);
    assert.equal(previous, older.hash ?? '0'.repeat(64));
    assert.equal(sequence, paged.length - index);
  });
  const { body: verdict } = await request(server, 'GET', '/api/audit/verify');
  assert.deepEqual(verdict, { ok: true, records: paged.length, head: refusal.hash });
});

test('GET /api/audit refuses what it does not take', async () => {
  for (const query of ['limit=0', 'limit=1001', 'before=0', 'before=x', 'after=1']) {
    const { status, body } = await request(server, 'GET', `/api/audit?${query}`);
    assert.deepEqual([status, body.error.code], [400, 'invalid_argument'], query);
  }
});

test('the description of the API has the routes', async () => {
  const { body } = await request(server, 'GET', '/api/openapi.json');
  const routes = Object.keys(body.paths).filter((path) => /runtime|audit/.test(path));
  assert.deepEqual(routes.sort(), [
    '/api/audit',
    '/api/audit/verify',
    '/api/runtime/execute',
    '/api/runtime/jobs',
    '/api/runtime/jobs/{jobId}/cancel',
    '/api/runtime/query-output',
    '/api/runtimes',
  ]);
});

test('progress has the newest line of output', async () => {
  const seen: (string | undefined)[] = [];
  const untilSeen = (word: string) => `while [ ! -e seen-${word} ]; do sleep 0.02; done`;
  const given = { ...job, code: `echo one; ${untilSeen('one')}; echo two >&2; ${untilSeen('two')}` };
  const onprogress = ({ message = '' }) => {
    seen.push(message);
    writeFileSync(join(server.repo, `seen-${message}`), '');
  };
  const called = client.callTool({ name: execute, arguments: given }, { onprogress });
  assert.equal(Object((await called).structuredContent).status, 'success');
  assert.deepEqual(seen.slice(0, 2), ['one', 'two']);
});

test("the client's cancellation cancels the job", async () => {
  const abort = new AbortController();
  const given = { name: execute, arguments: { ...job, code: 'echo begun; sleep 60' } };
  const called = client.callTool(given, { signal: abort.signal, onprogress: () => abort.abort() });
  await assert.rejects(called);
  await untilJobs(server, ({ length }) => length === 0);
  const { body } = await request(server, 'GET', '/api/audit?limit=1');
  assert.deepEqual([body.records[0].kind, body.records[0].details.status], ['end', 'cancelled']);
  assert.equal((await shell(client, 'true')).status, 'success', 'its slot is free');
});

test('a server that is told to end cancels its jobs, and says so in the audit log', async (t) => {
  const ending = await jobServer(t);
  const body = JSON.stringify({ ...job, code: 'sleep 60' });
  const called = fetch(`${ending.url}/api/runtime/execute`, { method: 'POST', body });
  await untilJobs(ending, ([one]) => one?.state === 'running');
  const began = performance.now();
  const stopped = ending.stop();
  assert.equal((await json(await called)).status, 'cancelled');
  assert.equal(await stopped, 0);
  assert.ok(performance.now() - began < 5000);
  const next = await jobServer(t, { folder: ending.folder });
  const { records } = (await request(next, 'GET', '/api/audit')).body;
  assert.deepEqual([records.length, records[0].details.status], [2, 'cancelled']);
});
