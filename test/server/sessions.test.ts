import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import { wholeFile } from '../cleanup.ts';
import { call, httpClient, json, type RunningServer, refused, revisions, startServer, stdioClient } from './running.ts';

const file = wholeFile();
let server: RunningServer;
before(async () => {
  server = await startServer(file);
});

const none = { entries: [{ error: 'no session ID available (send X-MCP-Session-Id header)' }] };

for (const revision of revisions) {
  test(`X-MCP-Session-Id names the session, revision ${revision}`, async (t) => {
    const session = `session of ${revision}`;
    const client = await httpClient(t, server.url, { revision, headers: { 'X-MCP-Session-Id': session } });
    assert.deepEqual(await call(client, 'list_session_snapshots'), { entries: [] });
    const { sessions: before } = await call(client, 'list_sessions');
    assert.ok(Array.isArray(before) && !before.includes(session), 'reading creates nothing');
    const first = await call(client, 'run_js', { code: 'let a = 1', wait_secs: 30 });
    assert.equal(first.session, session);
    await call(client, 'run_js', { code: 'a.b.c', heap: 'latest', wait_secs: 30 });
    const { entries } = await call(client, 'list_session_snapshots', {
      fields: ' index,input_heap, output_heap ,code',
    });
    assert.deepEqual(entries, [
      { index: 0, input_heap: null, output_heap: first.heap, code: 'let a = 1' },
      { index: 1, input_heap: first.heap, output_heap: null, code: 'a.b.c' },
    ]);
    const { sessions } = await call(client, 'list_sessions');
    assert.ok(Array.isArray(sessions) && sessions.includes(session));
    const page = await call(client, 'list_session_snapshots', { offset: 1, limit: 1 });
    assert.ok(Array.isArray(page.entries));
    assert.deepEqual(Object.keys(page.entries[0]), ['index', 'input_heap', 'output_heap', 'code', 'timestamp']);
    assert.match(page.entries[0].timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test(`without the header there is no session, revision ${revision}`, async (t) => {
    const client = await httpClient(t, server.url, { revision });
    const { execution_id } = await call(client, 'run_js', { code: '1', wait_secs: 30 });
    assert.equal((await call(client, 'get_execution', { execution_id })).session, null);
    assert.deepEqual(await call(client, 'list_session_snapshots'), none);
  });

  test(`--session-id names the session of stdio, revision ${revision}`, async (t) => {
    const client = await stdioClient(t, { revision, args: ['--session-id', 'mine'] });
    await call(client, 'run_js', { code: '1', wait_secs: 30 });
    assert.deepEqual(await call(client, 'list_sessions'), { sessions: ['mine'] });
  });
}

test('a name beyond ASCII is the same session in the header and in REST', async () => {
  const body =
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_js","arguments":{"code":"7","wait_secs":30}}}';
  const args = ['-s', `${server.url}/mcp`, '-H', 'Content-Type: application/json', '-d', body];
  await promisify(execFile)('curl', [...args, '-H', 'X-MCP-Session-Id: café €']);
  const path = `/api/sessions/${encodeURIComponent('café €')}/snapshots?fields=code`;
  assert.deepEqual(await json(await fetch(server.url + path)), { entries: [{ code: '7' }] });
});

test('the fields of an entry are refused by name, and none are all', async (t) => {
  const client = await httpClient(t, server.url, { headers: { 'X-MCP-Session-Id': 'fields' } });
  await call(client, 'run_js', { code: '1', wait_secs: 30 });
  assert.equal(
    await refused(client, 'list_session_snapshots', { fields: 'index,heap' }),
    'fields: expected names among index, input_heap, output_heap, code, timestamp, got "heap"',
  );
  const all = await call(client, 'list_session_snapshots');
  assert.deepEqual(await call(client, 'list_session_snapshots', { fields: '' }), all);
});

test('the curl line of the documents works as it stands, and names the connection', async () => {
  const line = `curl -s -D - -X POST ${server.url}/mcp \\
-H "Content-Type: application/json" \\
-H "X-MCP-Session-Id: my-agent-session" \\
-d '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"curl","version":"0"}}}'`;
  const { stdout } = await promisify(execFile)('sh', ['-c', line]);
  const [head = '', body = ''] = stdout.split('\r\n\r\n');
  assert.equal(JSON.parse(body).result.protocolVersion, '2024-11-05');
  const id = /^mcp-session-id: (\S+)/im.exec(head)?.[1] ?? '';
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Mcp-Session-Id': id },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'run_js', arguments: { code: '1', wait_secs: 30 } },
    }),
  });
  assert.equal((await json(response)).result.structuredContent.session, 'my-agent-session');
});
