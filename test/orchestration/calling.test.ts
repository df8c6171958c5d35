import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { atEnd, temporaryFolder, wholeFile } from '../cleanup.ts';
import { everything, memory, toolbox } from '../upstreams/servers/configuration.ts';
import { startHttpToolbox } from '../upstreams/servers/http-toolbox.ts';
import { png } from '../upstreams/servers/toolbox-tools.ts';
import { startCodeServer } from './doors.ts';

const cleanup = wholeFile();
const remote = await startHttpToolbox();
atEnd(cleanup, () => remote.close());
const servers = {
  box: toolbox({ items: 300, pageSize: 50 }),
  remote: { url: remote.url },
  late: toolbox({ startDelay: 1500 }),
  everything,
  memory: memory(join(temporaryFolder(cleanup), 'graph.json')),
  gone: { command: process.execPath, args: ['-e', 'process.exit(7)'] },
};
const { run, value, client } = await startCodeServer(cleanup, { servers });

const ok = (result: unknown) => ({ ok: true, result });
const failed = (code: string, message: string) => ({ ok: false, error: { message, code } });

/** Each kind of answer that a tool may give, and what the code gets. */
const answers: Readonly<Record<string, unknown>> = {
  "call_tool('box', 'add', { a: 2, b: 3 })": ok({ sum: 5 }),
  "call_tool('box', 'structured', {})": ok({ items: [1, 2, { three: 'drei' }] }),
  "call_tool('box', 'text', { text: 'plain words' })": ok('plain words'),
  "call_tool('box', 'text', { text: '{\"a\": [1, null]}' })": ok({ a: [1, null] }),
  "call_tool('box', 'text', { text: '12' })": ok(12),
  "call_tool('box', 'text', { text: '' })": ok(''),
  "call_tool('box', 'json_text', { value: [true] })": ok([true]),
  "call_tool('box', 'image', {})": ok([{ type: 'image', data: png, mimeType: 'image/png' }]),
  "call_tool('box', 'empty', {})": ok([]),
  "call_tool('box', 'mixed', {}).result.map(({ type }) => type)": ['text', 'image', 'resource', 'resource_link'],
  "call_tool('box', 'item_299', { id: 'x' })": ok('item_299'),
  "call_tool('box', 'kebab-case.name', {})": ok('kebab'),
  "call_tool('box', 'unicode', {}).result.größe": '你好 🦜\u2028',
  "call_tool('remote', 'add', { a: 1, b: 1 })": ok({ sum: 2 }),
  "call_tool('everything', 'echo', { message: 'published' })": ok('Echo: published'),
  "call_tool('memory', 'read_graph', {})": ok({ entities: [], relations: [] }),
  "call_tool('box', 'fail', { message: 'no luck' })": failed('UPSTREAM_ERROR', 'no luck'),
  "call_tool('nowhere', 'add', {}).error.code": 'SERVER_NOT_FOUND',
  "call_tool('box', 'nothing', {}).error.code": 'TOOL_NOT_FOUND',
  "call_tool('box', 'throws', { message: 'bang' }).error.code": 'UPSTREAM_ERROR',
  "call_tool('gone', 'add', {}).error.code": 'UPSTREAM_ERROR',
};

describe('call_tool gives', () => {
  for (const [code, expected] of Object.entries(answers)) {
    test(code, async () => assert.deepEqual(await value(code), expected));
  }
});

describe('INVALID_ARGS is returned, and nothing leaves, for', () => {
  for (const args of [
    "1, 'add', {}",
    "'box', null, {}",
    "'box', 'add'",
    "'box', 'add', null",
    "'box', 'add', [1]",
    "'box', 'add', 'x'",
    '',
  ]) {
    test(`call_tool(${args})`, async () => {
      const answer = Object(await value(`call_tool(${args})`));
      assert.deepEqual([answer.ok, answer.error.code], [false, 'INVALID_ARGS']);
      assert.match(answer.error.message, /^Expected /);
    });
  }
});

describe('call_tool waits wherever it is called', () => {
  const cases: Readonly<Record<string, unknown>> = {
    "(await call_tool('box', 'add', { a: 1, b: 1 })).result.sum": 2,
    "[1, 2, 3].map((a) => call_tool('box', 'add', { a, b: 10 }).result.sum)": [11, 12, 13],
    "[3, 1, 2].sort((a, b) => call_tool('box', 'add', { a, b: -b }).result.sum)": [1, 2, 3],
    "({ get sum() { return call_tool('box', 'add', { a: 4, b: 4 }).result.sum } })": { sum: 8 },
    "'a1b2'.replace(/\\d/g, (a) => call_tool('box', 'add', { a: +a, b: 5 }).result.sum)": 'a6b7',
    "JSON.parse('[1,2]', (k, v) => k === '' ? v : call_tool('box', 'add', { a: v, b: 1 }).result.sum)": [2, 3],
    "new (class { x = call_tool('box', 'add', { a: 1, b: 2 }).result.sum })().x": 3,
    "[...(function* () { yield call_tool('box', 'add', { a: 1, b: 0 }).result.sum })()]": [1],
    "`${{ toString: () => call_tool('box', 'add', { a: 9, b: 0 }).result.sum }}`": '9',
    "await Promise.resolve().then(() => call_tool('box', 'add', { a: 1, b: 3 }).result.sum)": 4,
    "call_tool('box', 'echo', { get a() { return call_tool('box', 'add', { a: 1, b: 1 }).result.sum } }).result.a": 2,
  };
  for (const [code, expected] of Object.entries(cases)) {
    test(code, async () => assert.deepEqual(await value(code), expected));
  }
});

test('a server that is still connecting is waited for', async () => {
  const late = await startCodeServer(cleanup, { servers: { late: toolbox({ startDelay: 1000 }) } });
  assert.deepEqual(await late.value("call_tool('late', 'add', { a: 1, b: 2 }).result"), { sum: 3 });
});

test('the wait for a server ends with the time-out', async () => {
  const never = await startCodeServer(cleanup, { servers: { late: toolbox({ startDelay: 60_000 }) } });
  const { error } = await never.run({ code: "call_tool('late', 'add', {})", options: { timeout_ms: 300 } });
  assert.equal(error?.code, 'TIMEOUT');
});

test('a result of 20 MB arrives', async () => {
  assert.equal(await value("call_tool('box', 'big', { bytes: 20e6 }).result.length"), 20e6);
  assert.equal(Object(await value('(await tools.box.big({ bytes: 20e6 }))')).length, 20e6);
});

test('arguments arrive as JSON: unicode, half characters, and what JSON leaves out', async () => {
  const code =
    "call_tool('box', 'echo', { 'größe 🦜': '\\u2028', half: '\\ud83d', u: undefined, n: NaN, d: new Date(0) }).result";
  const expected = { 'größe 🦜': '\u2028', half: '\ufffd', n: null, d: '1970-01-01T00:00:00.000Z' };
  assert.deepEqual(await value(code), expected);
});

test('arguments that JSON cannot hold are an error of the code that passed them', async () => {
  const { error } = await run({ code: "call_tool('box', 'echo', { n: 1n })" });
  assert.deepEqual(
    [error?.code, error?.message],
    ['RUNTIME_ERROR', 'TypeError: Do not know how to serialize a BigInt'],
  );
});

test('a server that dies in the middle of a call is an error, and is there again for the next one', async () => {
  const code = `const crashed = call_tool('box', 'crash', {});
    [crashed.ok, crashed.error.code, call_tool('box', 'add', { a: 1, b: 1 }).result.sum]`;
  assert.deepEqual(await value(code), [false, 'UPSTREAM_ERROR', 2]);
});

test('calls are progress, to a client that asked for it', async () => {
  const lines: (string | undefined)[] = [];
  const code = "call_tool('box', 'slow', { ms: 250 }); call_tool('box', 'progress', { steps: 2 }); 1";
  await client.callTool(
    { name: 'code_execution', arguments: { code } },
    { onprogress: ({ message }) => lines.push(message) },
  );
  assert.equal(lines[0], 'Calling box.slow (call 1)');
  assert.ok(lines.some((line) => line?.startsWith('box.progress: step') || line === 'Calling box.progress (call 2)'));
});
