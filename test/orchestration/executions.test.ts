import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wholeFile } from '../cleanup.ts';
import { cay } from '../cli/cay.ts';
import { call, httpClient, json, type RunningServer, startServer } from '../server/running.ts';
import { toolbox } from '../upstreams/servers/configuration.ts';
import { post, startCodeServer } from './doors.ts';

const cleanup = wholeFile();
const servers = { box: toolbox() };
const code = await startCodeServer(cleanup, { servers });
const get = async (path: string, { url }: RunningServer = code.server) => json(await fetch(`${url}${path}`));

/** The id of the newest execution. */
async function newest(server?: RunningServer): Promise<string> {
  const { executions } = await get('/api/executions', server);
  return executions[0].execution_id;
}

test('a run is an execution: listed, with its result, its output and its kind, and without a heap', async () => {
  await code.run({ code: "console.log('said'); ({ a: 1 })" });
  const id = await newest();
  const execution = await get(`/api/executions/${id}`);
  const { status, result, error, heap, kind } = execution;
  assert.deepEqual([status, result, error, heap, kind], ['completed', '{"a":1}', null, null, 'code_execution']);
  assert.equal((await get(`/api/executions/${id}/output`)).data, 'said\n');
  const { executions } = await call(code.client, 'list_executions');
  assert.partialDeepStrictEqual(executions, [{ execution_id: id, status: 'completed', kind: 'code_execution' }]);
});

test('failures are executions that failed, with the reason', async () => {
  const endings = [
    ['null.x', 'failed', /^TypeError: .*\n {4}at <eval>:1:6$/],
    ['(', 'failed', /^SyntaxError: .*\n<eval>:1:\d$/],
    ['new Map()', 'failed', /^Result contains .*\nvalue is a Map/],
    ['for (;;);', 'timed_out', /^JavaScript execution timed out$/],
  ] as const;
  for (const [source, status, error] of endings) {
    await code.run({ code: source, options: { timeout_ms: 1000 } });
    const ended = await get(`/api/executions/${await newest()}`);
    assert.equal(ended.status, status);
    assert.match(ended.error, error);
  }
});

test('a run is not in the log of a session', async () => {
  const client = await httpClient(cleanup, code.server.url, { headers: { 'X-MCP-Session-Id': 'mine' } });
  await call(client, 'code_execution', { code: '1' });
  assert.deepEqual(await call(client, 'list_session_snapshots'), { entries: [] });
  assert.deepEqual(await get('/api/sessions'), { sessions: [] });
});

test('every call is kept: what, with what, what came of it, how large and how long', async () => {
  await code.run({
    code: `call_tool('box', 'add', { a: 1, b: 2 });
      call_tool('box', 'fail', { message: 'no' });
      call_tool('box', 'add', 5);
      await tools.box.kebabCaseName();
      try { call_tool('other', 'x', { s: 'ä' }) } catch {}
      call_tool('box', 'big', { bytes: 100000 }).ok`,
    options: { allowed_servers: ['box'] },
  });
  const { calls, has_more } = await get(`/api/executions/${await newest()}/calls`);
  const shown = calls.map((one: Record<string, unknown>) => [one.index, one.server, one.tool, one.outcome]);
  assert.deepEqual(shown, [
    [0, 'box', 'add', 'ok'],
    [1, 'box', 'fail', 'error'],
    [2, 'box', 'add', 'refused'],
    [3, 'box', 'kebab-case.name', 'ok'],
    [4, 'other', 'x', 'refused'],
    [5, 'box', 'big', 'ok'],
  ]);
  assert.equal(has_more, false);
  assert.deepEqual(calls[0].arguments, { text: '{"a":1,"b":2}', bytes: 13, truncated: false });
  assert.deepEqual(calls[0].result, { text: '{"sum":3}', bytes: 9, truncated: false });
  assert.deepEqual(calls[0].error, null);
  assert.deepEqual(calls[1].error, { code: 'UPSTREAM_ERROR', message: 'no' });
  assert.equal(calls[2].error.code, 'INVALID_ARGS');
  assert.deepEqual(calls[4].arguments, { text: '{"s":"ä"}', bytes: 10, truncated: false });
  assert.equal(calls[4].error.code, 'SERVER_NOT_ALLOWED');
  assert.deepEqual(
    [calls[5].result.bytes, calls[5].result.text.length, calls[5].result.truncated],
    [100_002, 65_536, true],
  );
  for (const one of calls) {
    assert.match(one.started_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.ok(one.duration_ms >= 0);
  }
});

test('calls are listed in pages', async () => {
  await code.run({ code: "for (let a = 0; a < 25; a++) call_tool('box', 'add', { a, b: 0 }); 1" });
  const id = await newest();
  const first = await get(`/api/executions/${id}/calls?limit=20`);
  const rest = await get(`/api/executions/${id}/calls?limit=20&after=${first.calls.at(-1).index}`);
  assert.deepEqual([first.calls.length, first.has_more, rest.calls.length, rest.has_more], [20, true, 5, false]);
  const missing = await fetch(`${code.server.url}/api/executions/none/calls`);
  assert.deepEqual([missing.status, (await json(missing)).error.message], [404, "Execution 'none' not found"]);
});

test('`cay calls` shows them', async () => {
  await code.run({
    code: "call_tool('box', 'add', { a: 1, b: 2 }); call_tool('box', 'fail', { message: 'no luck' }); 1",
  });
  const id = await newest();
  const url = `--url=${code.server.url}`;
  const table = await cay(['calls', id, url]);
  assert.equal(table.code, 0);
  assert.match(table.stdout, /box\.add +ok .*\n.*box\.fail +error .*UPSTREAM_ERROR: no luck\n$/);
  const listed = JSON.parse((await cay(['calls', id, url, '--json'])).stdout);
  assert.deepEqual(listed, await get(`/api/executions/${id}/calls`));
  const missing = await cay(['calls', 'none', url]);
  assert.deepEqual([missing.code, missing.stderr], [1, "cay: Execution 'none' not found\n"]);
});

test('a call that is under way is seen', async () => {
  const running = code.run({ code: "call_tool('box', 'slow', { ms: 1500 }).ok" });
  let calls: { outcome: string; duration_ms: number | null }[] = [];
  while (calls.length === 0) {
    const { executions } = await get('/api/executions?limit=1&status=running');
    if (executions[0]) ({ calls } = await get(`/api/executions/${executions[0].execution_id}/calls`));
  }
  assert.deepEqual([calls[0]?.outcome, calls[0]?.duration_ms], ['running', null]);
  assert.equal((await running).value, true);
});

test('code_execution_pool_size bounds how many run at once, run_js is not held up, and waiting does not count', async () => {
  const settings = { CAY_CODE_EXECUTION_POOL_SIZE: '2', CAY_MAX_CONCURRENT_EXECUTIONS: '1' };
  const small = await startCodeServer(cleanup, { servers, settings });
  const slow = { code: "call_tool('box', 'slow', { ms: 400 }).ok", options: { timeout_ms: 1500 } };
  const all = Array.from({ length: 8 }, () => small.run(slow));
  const other = await call(small.client, 'run_js', { code: '1 + 1', wait_secs: 30 });
  assert.equal(other.status, 'completed');
  assert.ok((await get('/health', small.server)).running > 0, 'run_js waited for the others');
  for (const answer of await Promise.all(all)) assert.deepEqual(answer, { ok: true, value: true });
  const most = Object(await small.value("call_tool('box', 'count_calls', {}).result")).most_running;
  assert.equal(most, 2);
});

test('after a restart a run that had started has failed, and its calls are still there', async () => {
  const env = { CAY_ENABLE_CODE_EXECUTION: 'true', CAY_MCP_SERVERS: JSON.stringify(servers) };
  const server = await startServer(cleanup, { env });
  const answer = post(server, { code: "call_tool('box', 'add', { a: 1, b: 1 }); call_tool('box', 'never', {})" });
  answer.catch(() => {}); // the server is about to be killed
  let calls: unknown[] = [];
  let id = '';
  while (calls.length < 2) {
    const { executions } = await get('/api/executions?limit=1', server);
    id = executions[0]?.execution_id ?? '';
    if (id !== '') ({ calls } = await get(`/api/executions/${id}/calls`, server));
  }
  const ended = new Promise((resolve) => server.process.once('exit', resolve));
  server.process.kill('SIGKILL');
  await ended;
  const again = await startServer(cleanup, { env, folder: server.folder });
  const { status, error } = await get(`/api/executions/${id}`, again);
  assert.deepEqual([status, error], ['failed', 'The server stopped while this execution was running']);
  const kept = (await get(`/api/executions/${id}/calls`, again)).calls;
  assert.deepEqual(
    kept.map((one: { tool: string; outcome: string }) => [one.tool, one.outcome]),
    [
      ['add', 'ok'],
      ['never', 'cancelled'],
    ],
  );
});

test('a stateless server runs code and keeps its calls', async () => {
  const env = { CAY_ENABLE_CODE_EXECUTION: 'true', CAY_MCP_SERVERS: JSON.stringify(servers) };
  const server = await startServer(cleanup, { env, args: ['--stateless'] });
  const client = await httpClient(cleanup, server.url);
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name).sort(), ['code_execution', 'describe_tool', 'run_js', 'search_tools']);
  assert.deepEqual(await call(client, 'code_execution', { code: "call_tool('box', 'add', { a: 1, b: 1 }).ok" }), {
    ok: true,
    value: true,
  });
});
