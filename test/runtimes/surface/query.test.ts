import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { wholeFile } from '../../cleanup.ts';
import { call, refused } from '../../server/running.ts';
import { type JobServer, jobClient, jobServer, queryOutput, request, shell } from './jobs.ts';

const file = wholeFile();
let server: JobServer;
let client: Client;
let artifactHandle: unknown;
before(async () => {
  server = await jobServer(file);
  client = await jobClient(file, server);
  const code = 'for i in $(seq 1 100); do echo "out $i"; done; for i in $(seq 1 10); do echo "err $i" >&2; done';
  ({ artifactHandle } = await shell(client, code));
});

const query = (queryTerms: string[], given: Record<string, unknown> = {}) =>
  call(client, queryOutput, { artifactHandle, queryTerms, ...given });
const text = (word: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${word} ${from + index}`).join('\n');

test('the answer echoes the handle and has the totals of the artifact', async () => {
  const bytes = text('out', 1, 100).length + 1 + text('err', 1, 10).length + 1;
  assert.deepEqual(await query(['OUT 50']), {
    artifactHandle,
    excerpts: [{ lineStart: 47, lineEnd: 53, content: text('out', 47, 53), source: 'stdout' }],
    totalLines: 110,
    totalBytes: bytes,
    searchedStreams: ['stdout', 'stderr'],
  });
});

test('contextLines widens the windows, and windows that touch are one', async () => {
  const windows = async (terms: string[], contextLines: number) => {
    const { excerpts } = await query(terms, { contextLines });
    return Object(excerpts).map((one: { lineStart: number; lineEnd: number }) => [one.lineStart, one.lineEnd]);
  };
  assert.deepEqual(await windows(['out 50', 'out 52'], 0), [
    [50, 50],
    [52, 52],
  ]);
  assert.deepEqual(await windows(['out 50', 'out 51'], 0), [[50, 51]]);
  assert.deepEqual(await windows(['out 50', 'out 53'], 1), [[49, 54]]);
  assert.deepEqual(await windows(['out 50', 'out 54'], 1), [
    [49, 51],
    [53, 55],
  ]);
  assert.deepEqual(await windows(['out 3'], 20), [[1, 59]], 'out 3 and out 30 to 39');
});

test('stream says where to look, and the totals stay those of the artifact', async () => {
  const sources = async (stream?: string) => {
    const { excerpts, searchedStreams, totalLines } = await query(['t 5', 'r 5'], { contextLines: 0, stream });
    assert.equal(totalLines, 110);
    return [searchedStreams, [...new Set(Object(excerpts).map(({ source }: { source: string }) => source))]];
  };
  const both = ['stdout', 'stderr'];
  assert.deepEqual(await sources(), [both, both]);
  assert.deepEqual(await sources('both'), [both, both]);
  assert.deepEqual(await sources('stdout'), [['stdout'], ['stdout']]);
  assert.deepEqual(await sources('stderr'), [['stderr'], ['stderr']]);
});

test('maxExcerpts: 10 unless told otherwise, stdout first', async () => {
  const count = async (given: Record<string, unknown>) => {
    const { excerpts } = await query(['5', 'err'], { contextLines: 0, ...given });
    return Object(excerpts).length;
  };
  assert.equal(await count({}), 10);
  assert.equal(await count({ maxExcerpts: 1 }), 1);
  assert.equal(
    await count({ maxExcerpts: 100 }),
    10 + 1,
    '5, 15, …, 45, 50 to 59, 65, …, 95, and all of stderr as one',
  );
});

test('no terms and no matches give no excerpts', async () => {
  assert.deepEqual((await query([])).excerpts, []);
  assert.deepEqual((await query(['nowhere', 'o.t'])).excerpts, []);
});

test('of a long run of matches the middle is left out, and the answer says how to see more', async () => {
  const { artifactHandle: long } = await shell(client, 'seq 1000');
  const terms = Array.from({ length: 10 }, (_, digit) => `${digit}`);
  const short = await query(terms, { artifactHandle: long });
  assert.match(Object(short.excerpts)[0].content, /\n100\n\.\.\. \(800 lines omitted\) \.\.\.\n901\n/);
  assert.equal(short.note, 'Lines are left out: narrower terms or a larger maxExcerpts show more.');
  const { excerpts, note } = await query(terms, { artifactHandle: long, maxExcerpts: 100 });
  const content = Array.from({ length: 1000 }, (_, index) => index + 1).join('\n');
  assert.deepEqual([excerpts, note], [[{ lineStart: 1, lineEnd: 1000, content, source: 'stdout' }], undefined]);
});

test('a line over 500 characters is cut, and matched whole', async () => {
  const { artifactHandle: long } = await shell(client, `printf 'y%.0s' $(seq 1 500); echo zend`);
  const { excerpts } = await query(['ZEND'], { artifactHandle: long });
  const content = `${'y'.repeat(500)} [truncated]`;
  assert.deepEqual(excerpts, [{ lineStart: 1, lineEnd: 1, content, source: 'stdout' }]);
});

test('REST answers the same', async () => {
  const body = { artifactHandle, queryTerms: ['err 7'], contextLines: 1 };
  const answer = await request(server, 'POST', '/api/runtime/query-output', body);
  assert.deepEqual(answer, { status: 200, body: await query(['err 7'], { contextLines: 1 }) });
});

test('an artifact is readable after a restart', async (t) => {
  const first = await jobServer(t);
  const { artifactHandle: kept } = await shell(await jobClient(t, first), 'echo kept');
  await first.stop();
  const second = await jobServer(t, { folder: first.folder });
  const asked = { artifactHandle: kept, queryTerms: ['kept'] };
  assert.equal((await request(second, 'POST', '/api/runtime/query-output', asked)).body.excerpts.length, 1);
});

test('an artifact is readable until its time is up, and then as unknown as one that never was', async (t) => {
  const lifeMs = 3000;
  const short = await jobServer(t, { runtime: { artifactTtlHours: lifeMs / 3_600_000 } });
  const handle = String((await shell(await jobClient(t, short), 'echo kept')).artifactHandle);
  const ask = (asked: string) =>
    request(short, 'POST', '/api/runtime/query-output', { artifactHandle: asked, queryTerms: ['kept'] });
  assert.equal((await ask(handle)).body.excerpts.length, 1);
  const [, , , created] = handle.split('-');
  await setTimeout(Number(created) + lifeMs + 1 - Date.now());
  const [expired, never] = [await ask(handle), await ask('never')];
  assert.equal(expired.status, 404);
  assert.equal(expired.body.error.message, never.body.error.message.replace('never', handle));
});

test('whoever has a handle may read it, and a query without one is refused', async () => {
  assert.match(await refused(client, queryOutput, { queryTerms: ['x'] }), /^artifactHandle: /);
});
