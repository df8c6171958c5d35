import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { wholeFile } from '../cleanup.ts';
import { post, startCodeServer } from '../orchestration/doors.ts';
import { toolbox } from '../upstreams/servers/configuration.ts';
import { call, httpClient, json, type RunningServer, startServer } from './running.ts';

const file = wholeFile();
let server: RunningServer;
let client: Client;
before(async () => {
  server = await startServer(file);
  client = await httpClient(file, server.url, { headers: { 'X-MCP-Session-Id': 'notes' } });
});

const noteOn = async (given: Record<string, unknown>) =>
  (await call(client, 'run_js', { wait_secs: 30, ...given })).note;

/** What is switched off, or never there, and what the note must say of it. */
const missing: readonly (readonly [code: string, note: RegExp])[] = [
  ['fetch("https://example.com")', /^fetch is off here; .*`fetch\.allow`/],
  ['tools.box.add({})', /^run_js may not call tools here; .*`run_js_tools`/],
  ['artifact("x")', /^artifact\(\) is off here; .*`run_js_artifacts`/],
  ['call_tool("box", "add", {})', /^call_tool is for code_execution/],
  ['module.exports = 1', /^There are no modules here/],
  ['process.env.HOME', /^This is not Node/],
  ['document.title', /^This is not a browser/],
];

for (const [code, note] of missing) {
  test(`a note says what there is instead of ${code}`, async () => assert.match(String(await noteOn({ code })), note));
}

test('a run that needs no advice has no note', async () => {
  for (const code of ['1', 'console.log(1)', 'null', 'throw new Error("x")', 'lost', 'fetch = 1']) {
    assert.equal(await noteOn({ code }), undefined, code);
  }
});

test('a heap that is not there is a note, also when the code ran', async () => {
  assert.match(String(await noteOn({ code: '1', heap: 'a3f8b2c1' })), /not found, .* whole `heap`/);
  const { heap } = await call(client, 'run_js', { code: '1', wait_secs: 30 });
  assert.equal(await noteOn({ code: '1', heap }), undefined);
  const other = await httpClient(file, server.url, { headers: { 'X-MCP-Session-Id': 'empty' } });
  const { note } = await call(other, 'run_js', { code: '1', heap: 'latest', wait_secs: 30 });
  assert.equal(note, 'This session has no heap yet, so the run began empty.');
});

test('who polls is told as well', async () => {
  const { execution_id } = await call(client, 'run_js', { code: 'while (true);', execution_timeout_secs: 1 });
  const { status, note } = await call(client, 'get_execution', { execution_id, wait_secs: 30 });
  assert.deepEqual([status, note], ['timed_out', 'Give it more time with execution_timeout_secs, or less to do.']);
});

test('notes are for models: REST has none, and every field', async () => {
  const body = JSON.stringify({ code: 'require("fs")', heap: 'not there', wait_secs: 30 });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await json(await fetch(`${server.url}/api/exec`, { method: 'POST', headers, body }));
  assert.deepEqual(
    ['note' in answer, answer.heap_restored, answer.session, answer.output.data],
    [false, false, null, ''],
  );
});

test('what the code of code_execution does not find is a note', async () => {
  const code = await startCodeServer(file, { servers: { box: toolbox() } });
  const noteOf = async (source: string) => (await call(code.client, 'code_execution', { code: source })).note;
  assert.match(String(await noteOf('box.add({ a: 1, b: 2 })')), /await tools\.box\.<tool>\(args\)/);
  assert.match(String(await noteOf('structuredClone({})')), /no structuredClone; run_js has it/);
  assert.match(String(await noteOf('fetch("https://example.com")')), /no network here/);
  assert.match(String(await noteOf('require("fs")')), /no modules here/);
  assert.match(String(await noteOf('earlier')), /Nothing is kept between runs/);
  for (const source of ['1', 'null.x', 'while (', 'new Date()']) assert.equal(await noteOf(source), undefined, source);

  await call(code.client, 'search_tools'); // box is connected from here on
  const { note } = await call(code.client, 'search_tools', { query: 'add', servers: ['bxo'] });
  assert.match(String(note), /^There is no server 'bxo'\. Did you mean 'box'\?/);
  await assert.rejects(code.client.callTool({ name: 'add', arguments: { a: 1, b: 2 } }), {
    message: /Tool add not found: it is a tool of box, .*code_execution: call_tool\("box", "add", args\)/,
  });

  const response = await post(code.server, { code: "call_tool('box', 'add', { a: 1, b: 2 }).ok" });
  assert.deepEqual(await json(response), { ok: true, value: true });
  const id = response.headers.get('X-Cay-Execution-Id');
  const { calls } = await json(await fetch(`${code.server.url}/api/executions/${id}/calls`));
  assert.equal(calls.length, 1);
  const { _meta } = await code.client.callTool({ name: 'code_execution', arguments: { code: 'null.x' } });
  const failed = await json(await fetch(`${code.server.url}/api/executions/${_meta?.['cay/execution_id']}`));
  assert.deepEqual([failed.kind, failed.status], ['code_execution', 'failed']);
});
