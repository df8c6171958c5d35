import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { inspect } from 'node:util';
import type { Client } from '@modelcontextprotocol/client';
import { wholeFile } from '../../cleanup.ts';
import { call, refused } from '../../server/running.ts';
import { execute, type JobServer, jobClient, jobServer, queryOutput, request, shell } from './jobs.ts';

const file = wholeFile();
let server: JobServer;
let client: Client;
before(async () => {
  server = await jobServer(file);
  client = await jobClient(file, server);
});

const job = { repoId: 'my-repo', runtime: 'shell', code: 'true' };
const many = Array.from({ length: 101 }, () => 'x');
const outOf = (low: number, high: number, got: unknown) => `expected a whole number from ${low} to ${high}, got ${got}`;
const names =
  '"node", "typescript", "python", "shell", "go", "java", "kotlin", "rust", "c", "cpp", "csharp", "ruby", "php", "perl", "r", "elixir"';

const wrongJobs: readonly (readonly [given: Record<string, unknown>, message: string | RegExp])[] = [
  [{ repoId: undefined }, 'repoId: expected a string that is not empty, got nothing'],
  [{ repoId: 5 }, 'repoId: expected a string that is not empty, got 5'],
  [{ runtime: undefined }, `runtime: expected one of ${names}, got nothing`],
  [{ runtime: 'cobol' }, `runtime: expected one of ${names}, got "cobol"`],
  [{ runtime: 'Python' }, `runtime: expected one of ${names}, got "Python"`],
  [{ executable: '' }, 'executable: expected a string that is not empty, got ""'],
  [{ args: 'ls' }, 'args: expected an array of at most 100, got "ls"'],
  [{ args: many }, /^args: expected an array of at most 100, got \["x","x"/],
  [{ args: ['a', 1] }, 'args.1: expected a string, got 1'],
  [{ args: ['a\0b'] }, 'args.0: expected text without NUL characters, got "a\\u0000b"'],
  [{ executable: 'ba\0sh' }, 'executable: expected text without NUL characters, got "ba\\u0000sh"'],
  [{ relativeCwd: 'a\0' }, 'relativeCwd: expected text without NUL characters, got "a\\u0000"'],
  [{ relativeCwd: 1 }, 'relativeCwd: expected a string, got 1'],
  [{ code: ['true'] }, 'code: expected a string, got ["true"]'],
  [{ code: undefined }, 'code: expected code to run, or args for the executable, got neither'],
  [{ code: null, args: null }, 'code: expected code to run, or args for the executable, got neither'],
  [{ timeoutMs: 99 }, `timeoutMs: ${outOf(100, 300_000, 99)}`],
  [{ timeoutMs: 300_001 }, `timeoutMs: ${outOf(100, 300_000, 300_001)}`],
  [{ timeoutMs: '1000' }, `timeoutMs: ${outOf(100, 300_000, '"1000"')}`],
  [{ queryTerms: 'FAIL' }, 'queryTerms: expected an array of at most 10, got "FAIL"'],
  [{ queryTerms: many.slice(0, 11) }, /^queryTerms: expected an array of at most 10, got \["x","x"/],
  [{ queryTerms: [''] }, 'queryTerms.0: expected a string of at most 1000 characters, got ""'],
  [{ maxResponseLines: 9 }, `maxResponseLines: ${outOf(10, 1000, 9)}`],
  [{ maxResponseLines: 1001 }, `maxResponseLines: ${outOf(10, 1000, 1001)}`],
  [{ persistOutput: 'yes' }, 'persistOutput: expected true or false, got "yes"'],
  [{ outputMode: 'full' }, 'outputMode: expected one of "minimal", "summary", "intent", got "full"'],
  [{ timeout: 1000 }, 'timeout: unknown, did you mean "timeoutMs"?'],
  [{ output_mode: 'intent' }, 'output_mode: unknown, did you mean "outputMode"?'],
];

for (const [given, message] of wrongJobs) {
  test(`refused: execute with ${inspect(given).slice(0, 60)}`, async () => {
    const text = await refused(client, execute, { ...job, ...given });
    if (typeof message === 'string') assert.equal(text, message);
    else assert.match(text, message);
    const { status, body } = await request(server, 'POST', '/api/runtime/execute', { ...job, ...given });
    assert.deepEqual([status, body], [400, { error: { code: 'invalid_argument', message: text } }]);
  });
}

test('what is refused for its arguments is no job, and leaves no record', async () => {
  const { body: before } = await request(server, 'GET', '/api/audit');
  await refused(client, execute, { ...job, timeoutMs: 1 });
  assert.deepEqual((await request(server, 'GET', '/api/audit')).body, before);
});

test('the ends of every range are taken', async () => {
  const ends = [
    { timeoutMs: 100 },
    { timeoutMs: 300_000 },
    { maxResponseLines: 10 },
    { maxResponseLines: 1000 },
    { args: many.slice(0, 100) },
    { queryTerms: many.slice(0, 10) },
  ];
  for (const given of ends) assert.match(String((await shell(client, ':', given)).status), /^(success|timeout)$/);
});

test('code may have 1 MB, and not more', async () => {
  const most = `#${'é'.repeat(2 ** 19 - 5)}\necho hi`;
  assert.equal(Buffer.byteLength(most), 2 ** 20 - 1);
  const { status, outputBytes } = await shell(client, most);
  assert.deepEqual([status, outputBytes], ['success', 3]);
  const over = `${most}ii`;
  const message = 'code: expected at most 1 MB, got 1048577 bytes';
  assert.equal(await refused(client, execute, { ...job, code: over }), message);
  const { status: code, body } = await request(server, 'POST', '/api/runtime/execute', { ...job, code: over });
  assert.deepEqual([code, body], [413, { error: { code: 'too_large', message } }]);
});

test('null for an optional argument is nothing', async () => {
  const nothing = { executable: null, args: null, relativeCwd: null, timeoutMs: null, queryTerms: null };
  const { status } = await shell(client, 'true', { ...nothing, outputMode: null, persistOutput: null });
  assert.equal(status, 'success');
});

const query = { artifactHandle: 'runtime-my-repo-1774356909696-fc5aa1f22e33e17c', queryTerms: ['x'] };
const unknown = `Artifact '${query.artifactHandle}' not found`;
const wrongQueries: readonly (readonly [given: Record<string, unknown>, message: string | RegExp])[] = [
  [{ artifactHandle: undefined }, 'artifactHandle: expected a string that is not empty, got nothing'],
  [{ queryTerms: undefined }, 'queryTerms: expected an array, got nothing'],
  [{ queryTerms: 'x' }, 'queryTerms: expected an array, got "x"'],
  [{ maxExcerpts: 0 }, `maxExcerpts: ${outOf(1, 100, 0)}`],
  [{ maxExcerpts: 101 }, `maxExcerpts: ${outOf(1, 100, 101)}`],
  [{ contextLines: -1 }, `contextLines: ${outOf(0, 20, -1)}`],
  [{ contextLines: 21 }, `contextLines: ${outOf(0, 20, 21)}`],
  [{ stream: 'stdin' }, 'stream: expected one of "stdout", "stderr", "both", got "stdin"'],
  [{ handle: 'x' }, /^handle: unknown/],
];

for (const [given, message] of wrongQueries) {
  test(`refused: queryOutput with ${inspect(given)}`, async () => {
    const text = await refused(client, queryOutput, { ...query, ...given });
    if (typeof message === 'string') assert.equal(text, message);
    else assert.match(text, message);
  });
}

test('refused: an unknown handle, whatever it looks like', async () => {
  assert.ok((await refused(client, queryOutput, query)).startsWith(unknown));
  for (const artifactHandle of ['../../etc/passwd', 'runtime-my-repo-1-0', '\0', 'x'.repeat(100_000)]) {
    assert.match(await refused(client, queryOutput, { ...query, artifactHandle }), /^Artifact '/);
  }
  const { status, body } = await request(server, 'POST', '/api/runtime/query-output', query);
  assert.deepEqual([status, body.error.code], [404, 'not_found']);
});

test('the ends of the ranges of queryOutput are taken', async () => {
  const { artifactHandle } = await shell(client, 'echo x');
  for (const given of [{ maxExcerpts: 1 }, { maxExcerpts: 100 }, { contextLines: 0 }, { contextLines: 20 }]) {
    const { excerpts } = await call(client, queryOutput, { ...query, artifactHandle, ...given });
    assert.equal(Object(excerpts).length, 1);
  }
});
