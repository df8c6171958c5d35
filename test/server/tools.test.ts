import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { wholeFile } from '../cleanup.ts';
import { call, httpClient, type RunningServer, refused, startServer } from './running.ts';

const file = wholeFile();
let server: RunningServer;
let client: Client;
before(async () => {
  server = await startServer(file);
  client = await httpClient(file, server.url, { headers: { 'X-MCP-Session-Id': 'tools' } });
});

const run = (given: Record<string, unknown>) => call(client, 'run_js', { wait_secs: 30, ...given });
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const never = 'while (true);';

test('run_js answers with the id alone', async () => {
  const answer = await call(client, 'run_js', { code: '1' });
  assert.deepEqual(Object.keys(answer), ['execution_id']);
});

test('wait_secs adds everything that get_execution returns, and the first page', async () => {
  const { output, ...answer } = await run({ code: 'console.log("a"); 5' });
  const { execution_id } = answer;
  assert.deepEqual(answer, await call(client, 'get_execution', { execution_id }));
  assert.deepEqual(output, await call(client, 'get_execution_output', { execution_id }));
});

test('what a run has nothing to say of is left out of the answer of run_js', async () => {
  const documented = ['execution_id', 'status', 'result', 'heap', 'error', 'started_at', 'completed_at'];
  const always = [...documented, 'heap_restored', 'duration_ms', 'queue_position', 'session'];
  assert.deepEqual(Object.keys(await run({ code: '5' })), always);
  assert.deepEqual(Object.keys(await run({ code: 'console.log(5)' })), [...always, 'output']);
});

test('get_execution waits as long as it is told to', async () => {
  const code = 'await new Promise((resolve) => setTimeout(resolve, 300)); "late"';
  const { execution_id } = await call(client, 'run_js', { code });
  assert.equal((await call(client, 'get_execution', { execution_id })).status, 'running');
  assert.equal((await call(client, 'get_execution', { execution_id, wait_secs: 30 })).result, '"late"');
});

test('wait_secs ends when the time is up', async () => {
  const { status, execution_id } = await run({ code: never, wait_secs: 0.2 });
  assert.equal(status, 'running');
  assert.deepEqual(await call(client, 'cancel_execution', { execution_id }), { ok: true });
});

test('get_execution has every field', async () => {
  const { execution_id } = await run({ code: '({ a: [1, "é"] })' });
  const answer = await call(client, 'get_execution', { execution_id });
  const { execution_id: id, heap, started_at, completed_at, duration_ms, ...others } = answer;
  assert.deepEqual(others, {
    status: 'completed',
    result: '{"a":[1,"é"]}',
    error: null,
    heap_restored: null,
    queue_position: null,
    session: 'tools',
  });
  assert.equal(id, execution_id);
  assert.match(String(execution_id), /^[\w-]{8,}$/);
  assert.match(String(heap), /^[0-9a-f]{64}$/);
  assert.match(String(started_at), iso);
  assert.match(String(completed_at), iso);
  assert.equal(typeof duration_ms, 'number');
});

test('each status has its error', async () => {
  const failed = await run({ code: 'null.x' });
  assert.equal(failed.status, 'failed');
  assert.match(String(failed.error), /^TypeError: .*\n\s+at <eval>:1:6/);
  const broken = await run({ code: 'let = ;' });
  assert.equal(broken.status, 'failed');
  assert.match(String(broken.error), /^SyntaxError: /);
  const lost = await run({ code: 'lost', heap: 'not there' });
  const hint = 'his run began empty: pass `heap` to continue from an earlier run';
  const notFound = `The heap that was asked for was not found, so t${hint}`;
  assert.equal(lost.error, `ReferenceError: lost is not defined\n    at <eval>:1:1\n${notFound}`);
  const fresh = await run({ code: 'lost' });
  assert.equal(fresh.error, `ReferenceError: lost is not defined\n    at <eval>:1:1\nT${hint}`);
  const { heap } = await run({ code: '1' });
  const missed = await run({ code: '\n lost', heap });
  assert.equal(missed.error, 'ReferenceError: lost is not defined\n    at <eval>:2:2');
  const late = await run({ code: never, execution_timeout_secs: 1 });
  assert.deepEqual([late.status, late.error], ['timed_out', 'Execution timed out']);
  const code = 'const a = []; while (true) a.push(new Array(1e5).fill(1.5))';
  const full = await run({ code, heap_memory_max_mb: 8 });
  const text = 'Out of memory: V8 heap limit exceeded. Try increasing heap_memory_max_mb.';
  assert.deepEqual([full.status, full.error], ['failed', text]);
  const { execution_id } = await call(client, 'run_js', { code: never });
  await call(client, 'cancel_execution', { execution_id });
  const cancelled = await call(client, 'get_execution', { execution_id });
  assert.deepEqual([cancelled.status, cancelled.error], ['cancelled', 'Cancelled by user']);
});

test('cancel_execution on what does not run', async () => {
  const { execution_id } = await run({ code: '1' });
  assert.deepEqual(await call(client, 'cancel_execution', { execution_id }), {
    ok: false,
    error: `Execution '${execution_id}' is not running (status: completed)`,
  });
  assert.deepEqual(await call(client, 'cancel_execution', { execution_id: 'x' }), {
    ok: false,
    error: "Execution 'x' not found",
  });
});

test('an unknown execution is refused', async () => {
  for (const name of ['get_execution', 'get_execution_output']) {
    assert.equal(await refused(client, name, { execution_id: "a/../'b" }), "Execution 'a/../'b' not found");
  }
});

test('list_executions is newest first', async () => {
  const { execution_id } = await run({ code: '1' });
  const { executions } = await call(client, 'list_executions');
  assert.ok(Array.isArray(executions));
  const [newest] = executions;
  assert.deepEqual(Object.keys(newest), ['execution_id', 'status', 'started_at', 'completed_at']);
  assert.equal(newest.execution_id, execution_id);
  const times = executions.map(({ started_at }) => started_at);
  assert.deepEqual(times, [...times].sort().reverse());
});

test('input, tags, TypeScript and top-level return', async () => {
  const given = { code: 'const x: number = input.n; return x + 1', input: { n: 41 }, tags: { kind: 'answer' } };
  const { result, heap } = await run(given);
  assert.equal(result, '42');
  assert.deepEqual(await call(client, 'get_heap_tags', { heap }), { tags: { kind: 'answer' } });
});

test('a heap is continued by its key, a prefix, its execution and `latest`', async () => {
  const first = await run({ code: 'globalThis.token = "abc"' });
  const key = String(first.heap);
  for (const heap of [key, key.slice(0, 12), first.execution_id, 'latest']) {
    const again = await run({ code: 'token', heap });
    assert.deepEqual([again.result, again.heap_restored], ['"abc"', true]);
  }
  for (const heap of ['0'.repeat(64), key.slice(0, 11), 'nonsense', '']) {
    const fresh = await run({ code: 'typeof token', heap });
    assert.deepEqual([fresh.result, fresh.heap_restored], ['"undefined"', false]);
  }
});

test('tags are set, read, found and deleted', async () => {
  const { heap } = await run({ code: 'globalThis.tagged = 1' });
  const tags = { env: 'production', model: 'v2', own: String(heap) };
  assert.deepEqual(await call(client, 'set_heap_tags', { heap, tags }), { ok: true });
  const wanted = { own: String(heap), env: 'production' };
  assert.deepEqual(await call(client, 'query_heaps_by_tags', { tags: wanted }), { results: [{ heap, tags }] });
  assert.deepEqual(await call(client, 'query_heaps_by_tags', { tags: { ...wanted, env: 'x' } }), { results: [] });
  assert.deepEqual(await call(client, 'delete_heap_tags', { heap, keys: ' model , own,absent' }), { ok: true });
  assert.deepEqual(await call(client, 'get_heap_tags', { heap }), { tags: { env: 'production' } });
  assert.deepEqual(await call(client, 'delete_heap_tags', { heap }), { ok: true });
  assert.deepEqual(await call(client, 'get_heap_tags', { heap }), { tags: {} });
});

test('tags are named by key, prefix, execution or `latest`; the newest heap is found first', async () => {
  const tags = { order: 'newest first' };
  const older = await run({ code: 'globalThis.older = 1', tags });
  const newer = await run({ code: 'globalThis.newer = 1' });
  const key = String(newer.heap);
  for (const heap of [key, key.slice(0, 12), newer.execution_id, 'latest']) {
    assert.deepEqual(await call(client, 'set_heap_tags', { heap, tags }), { ok: true });
    assert.deepEqual(await call(client, 'get_heap_tags', { heap: key }), { tags });
    assert.deepEqual(await call(client, 'delete_heap_tags', { heap }), { ok: true });
  }
  await call(client, 'set_heap_tags', { heap: key, tags });
  const results = [
    { heap: key, tags },
    { heap: older.heap, tags },
  ];
  assert.deepEqual(await call(client, 'query_heaps_by_tags', { tags }), { results });
  const every = await call(client, 'query_heaps_by_tags', { tags: {} });
  assert.ok(Array.isArray(every.results));
  assert.deepEqual(every.results.slice(0, 2), results);
  assert.ok(every.results.length > 2, 'an empty filter returns every tagged heap');
  assert.deepEqual(await call(client, 'delete_heap_tags', { heap: key, keys: ' , ' }), { ok: true });
  assert.deepEqual(await call(client, 'get_heap_tags', { heap: key }), { tags }, 'no key is named, none goes');
});

test('tags of an unknown heap', async () => {
  const heap = 'f'.repeat(64);
  const missing = { ok: false, error: `Heap '${heap}' not found` };
  assert.deepEqual(await call(client, 'get_heap_tags', { heap }), { tags: {} });
  assert.deepEqual(await call(client, 'set_heap_tags', { heap, tags: {} }), missing);
  assert.deepEqual(await call(client, 'delete_heap_tags', { heap }), missing);
});

test('null for an optional argument is nothing', async () => {
  const given = { code: 'input', heap: null, tags: null, input: null, heap_memory_max_mb: null };
  assert.deepEqual((await run(given)).result, 'null');
});

test('parameters that the mode ignores are not checked', async () => {
  const { execution_id } = await run({ code: 'console.log("x")' });
  const bytes = { execution_id, byte_offset: 0, line_offset: -5, line_limit: 'many' };
  assert.equal((await call(client, 'get_execution_output', bytes)).data, 'x\n');
  const lines = { execution_id, byte_limit: -1 };
  assert.equal((await call(client, 'get_execution_output', lines)).data, 'x\n');
});

test('both modes have all six cursors', async () => {
  const { execution_id } = await run({ code: 'for (const c of "aäb") console.log(c)' });
  const byLines = await call(client, 'get_execution_output', { execution_id, line_offset: 2, line_limit: 1 });
  const { status, total_bytes, total_lines, ...cursors } = byLines;
  assert.deepEqual([status, total_bytes, total_lines], ['completed', 7, 3]);
  assert.deepEqual(cursors, {
    execution_id,
    data: 'ä\n',
    start_line: 2,
    end_line: 2,
    next_line_offset: 3,
    start_byte: 2,
    end_byte: 5,
    next_byte_offset: 5,
    has_more: true,
  });
  const byBytes = await call(client, 'get_execution_output', { execution_id, byte_offset: 2, byte_limit: 3 });
  assert.deepEqual(byBytes, byLines);
});
