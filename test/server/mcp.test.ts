import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { wholeFile } from '../cleanup.ts';
import {
  call,
  httpClient,
  json,
  type Revision,
  type RunningServer,
  refused,
  revisions,
  startServer,
  stdioClient,
} from './running.ts';

const file = wholeFile();
let server: RunningServer;
before(async () => {
  server = await startServer(file);
});

const toolNames = [
  'run_js',
  'get_execution',
  'get_execution_output',
  'cancel_execution',
  'list_executions',
  'set_heap_tags',
  'get_heap_tags',
  'delete_heap_tags',
  'query_heaps_by_tags',
  'list_sessions',
  'list_session_snapshots',
];

/** What every client must be able to do, whatever lies between. */
async function workThrough(client: Client, revision: Revision): Promise<void> {
  assert.equal(client.getNegotiatedProtocolVersion(), revision);
  assert.equal(client.getServerVersion()?.name, 'cay');
  assert.match(client.getInstructions() ?? '', /wait_secs/);
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    toolNames,
  );
  const first = await call(client, 'run_js', { code: 'let n: number = 20; console.log("hi"); n + 1', wait_secs: 30 });
  assert.equal(first.status, 'completed');
  assert.equal(first.result, '21');
  const second = await call(client, 'run_js', { code: 'n * 2', heap: first.heap, wait_secs: 30 });
  assert.equal(second.result, '40');
  assert.equal(second.heap_restored, true);
  const page = await call(client, 'get_execution_output', { execution_id: first.execution_id });
  assert.equal(page.data, 'hi\n');
  assert.equal(
    await refused(client, 'run_js', { cod: '1' }),
    'code: expected a string, got nothing\ncod: unknown, did you mean "code"?',
  );
  await assert.rejects(client.callTool({ name: 'run_jss', arguments: {} }), {
    message: /Tool run_jss not found: did you mean "run_js"\? tools\/list has those that there are$/,
  });
  await assert.rejects(client.callTool({ name: 'zzzzzzzz', arguments: {} }), {
    message: `Tool zzzzzzzz not found: tools/list has those that there are, ${toolNames.join(', ')}`,
  });
}

for (const revision of revisions) {
  test(`Streamable HTTP, revision ${revision}`, async (t) =>
    workThrough(await httpClient(t, server.url, { revision }), revision));
  test(`stdio, revision ${revision}`, async (t) => workThrough(await stdioClient(t, { revision }), revision));

  test(`progress has the newest console line, revision ${revision}`, async (t) => {
    const client = await httpClient(t, server.url, { revision });
    const seen: { progress: number; message?: string | undefined }[] = [];
    const code =
      'for (let i = 0; i < 3; i++) { console.log("step", i); await new Promise((r) => setTimeout(r, 400)); }';
    const given = { name: 'run_js', arguments: { code, wait_secs: 30 } };
    const { structuredContent } = await client.callTool(given, { onprogress: (progress) => seen.push(progress) });
    assert.equal(Object(structuredContent).status, 'completed');
    assert.deepEqual(
      seen.map(({ progress, message }) => [progress, message]),
      [
        [1, 'step 0'],
        [2, 'step 1'],
        [3, 'step 2'],
      ],
    );
  });
}

test('every tool has a title, a description, schemas for both directions and annotations', async (t) => {
  const { tools } = await (await httpClient(t, server.url)).listTools();
  const annotations: Record<string, readonly [readOnly: boolean, destructive: boolean]> = {
    run_js: [false, false],
    cancel_execution: [false, true],
    set_heap_tags: [false, true],
    delete_heap_tags: [false, true],
  };
  for (const tool of tools) {
    assert.ok(tool.title && tool.description && tool.description.length < 600, tool.name);
    assert.equal(tool.inputSchema.type, 'object');
    assert.equal(tool.inputSchema.additionalProperties, false);
    assert.equal(tool.outputSchema?.type, 'object');
    const { readOnlyHint, destructiveHint } = tool.annotations ?? {};
    assert.deepEqual([readOnlyHint, destructiveHint], annotations[tool.name] ?? [true, false], tool.name);
  }
});

const parameters: Record<string, readonly string[]> = {
  run_js: ['code', 'heap', 'wait_secs', 'input', 'heap_memory_max_mb', 'execution_timeout_secs', 'tags'],
  get_execution: ['execution_id', 'wait_secs'],
  get_execution_output: ['execution_id', 'line_offset', 'line_limit', 'byte_offset', 'byte_limit'],
  cancel_execution: ['execution_id'],
  list_executions: [],
  set_heap_tags: ['heap', 'tags'],
  get_heap_tags: ['heap'],
  delete_heap_tags: ['heap', 'keys'],
  query_heaps_by_tags: ['tags'],
  list_sessions: [],
  list_session_snapshots: ['fields', 'offset', 'limit'],
};

test('the parameters are those of the documents and of the contract', async (t) => {
  const { tools } = await (await httpClient(t, server.url)).listTools();
  for (const { name, inputSchema } of tools) {
    assert.deepEqual(Object.keys(inputSchema.properties ?? {}), parameters[name], name);
  }
  const required = tools.map(({ name, inputSchema }) => [name, inputSchema.required ?? []]);
  assert.deepEqual(Object.fromEntries(required), {
    run_js: ['code'],
    get_execution: ['execution_id'],
    get_execution_output: ['execution_id'],
    cancel_execution: ['execution_id'],
    list_executions: [],
    set_heap_tags: ['heap', 'tags'],
    get_heap_tags: ['heap'],
    delete_heap_tags: ['heap'],
    query_heaps_by_tags: ['tags'],
    list_sessions: [],
    list_session_snapshots: [],
  });
});

test('a client may come and go without a connection, and without reading event streams', async () => {
  const body = {
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name: 'run_js', arguments: { code: '6 * 7', wait_secs: 30 } },
  };
  const post = (headers: Record<string, string>) =>
    fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const plain = await post({});
  assert.equal(plain.headers.get('content-type'), 'application/json');
  assert.equal((await json(plain)).result.structuredContent.result, '42');
  const streamed = await post({ Accept: 'application/json, text/event-stream' });
  assert.equal(streamed.headers.get('content-type'), 'text/event-stream');
  assert.match(await streamed.text(), /"result":"42"/);
});

test('an unknown connection is told to begin anew', async () => {
  const headers = { 'Content-Type': 'application/json', 'Mcp-Session-Id': 'gone' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const response = await fetch(`${server.url}/mcp`, { method: 'POST', headers, body });
  assert.equal(response.status, 404);
});

test('what is not JSON is a parse error', async () => {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${server.url}/mcp`, { method: 'POST', headers, body: '{' });
  assert.equal(response.status, 400);
  assert.equal((await json(response)).error.code, -32_700);
});
