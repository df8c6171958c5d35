import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Client, ProtocolError, ResourceNotFoundError } from '@modelcontextprotocol/client';
import { type Cleanup, wholeFile } from '../cleanup.ts';
import { toolbox } from '../upstreams/servers/configuration.ts';
import {
  call,
  httpClient,
  json,
  type Revision,
  type RunningServer,
  revisions,
  sseClient,
  startServer,
  stdioClient,
} from './running.ts';

const file = wholeFile();
let server: RunningServer;
let client: Client;
before(async () => {
  const env = { CAY_ENABLE_CODE_EXECUTION: 'true', CAY_MCP_SERVERS: JSON.stringify({ box: toolbox() }) };
  server = await startServer(file, { env, ports: ['--http-port', '0', '--sse-port', '0'] });
  client = await httpClient(file, server.url);
});

/** The one text of a resource, and its type. */
async function read(from: Client, uri: string): Promise<{ text: string; mimeType: string | undefined }> {
  const [content, ...more] = (await from.readResource({ uri })).contents;
  if (!content || !('text' in content) || more.length > 0) throw new Error('expected one text');
  assert.equal(content.uri, uri);
  return { text: content.text, mimeType: content.mimeType };
}

const readJson = async (uri: string) => JSON.parse((await read(client, uri)).text);
const run = (code: string, more: object = {}) => call(client, 'run_js', { code, wait_secs: 30, ...more });

type Connect = (cleanup: Cleanup, revision: Revision, headers: Record<string, string>) => Promise<Client>;
const transports: Record<string, Connect> = {
  stdio: (t, revision, headers) =>
    stdioClient(t, { revision, args: ['--session-id', headers['X-MCP-Session-Id'] ?? ''] }),
  'Streamable HTTP': (t, revision, headers) => httpClient(t, server.url, { revision, headers }),
  SSE: (t, revision, headers) => sseClient(t, server.urls[1] ?? '', { revision, headers }),
};

for (const revision of revisions) {
  for (const [transport, connect] of Object.entries(transports)) {
    test(`what was run is listed, completed and read: ${transport}, revision ${revision}`, async (t) => {
      const session = `of ${transport}/${revision}`;
      const one = await connect(t, revision, { 'X-MCP-Session-Id': session });
      const { execution_id: id, heap } = await call(one, 'run_js', { code: 'console.log("hi"); 1', wait_secs: 30 });
      const uri = `cay://executions/${id}`;

      const { resources } = await one.listResources();
      assert.deepEqual(
        resources.slice(0, 2).map((listed) => [listed.uri, listed.mimeType]),
        [
          [uri, 'application/json'],
          [`${uri}/output`, 'text/plain'],
        ],
      );
      const { resourceTemplates } = await one.listResourceTemplates();
      assert.deepEqual(
        resourceTemplates.map(({ uriTemplate }) => uriTemplate),
        [
          'cay://executions/{id}',
          'cay://executions/{id}/output',
          'cay://executions/{id}/calls',
          'cay://sessions/{name}',
        ],
      );
      const { completion } = await one.complete({
        ref: { type: 'ref/resource', uri: 'cay://executions/{id}/output' },
        argument: { name: 'id', value: String(id).slice(0, 8) },
      });
      assert.deepEqual(completion.values, [id]);

      const execution = await read(one, uri);
      assert.equal(execution.mimeType, 'application/json');
      assert.deepEqual(JSON.parse(execution.text), await call(one, 'get_execution', { execution_id: id }));
      assert.deepEqual(await read(one, `${uri}/output`), { text: 'hi\n', mimeType: 'text/plain' });
      assert.deepEqual(JSON.parse((await read(one, `${uri}/calls`)).text), { execution_id: id, calls: [], next: null });
      const history = JSON.parse((await read(one, `cay://sessions/${encodeURIComponent(session)}`)).text);
      assert.deepEqual([history.entries.length, history.entries[0].output_heap], [1, heap]);

      const missing = one.readResource({ uri: 'cay://executions/none' });
      await assert.rejects(missing, (error) => {
        assert.ok(error instanceof ResourceNotFoundError);
        assert.equal(error.uri, 'cay://executions/none');
        assert.match(error.message, /Execution 'none' not found/);
        return true;
      });
    });
  }
}

test('a long output comes in pieces, each of which names the next', async () => {
  const { execution_id: id } = await run('for (let i = 0; i < 30000; i++) console.log("é", i)');
  const all = Array.from({ length: 30_000 }, (_, i) => `é ${i}\n`).join('');
  let [text, pieces, uri] = ['', 0, `cay://executions/${id}/output`];
  for (;;) {
    const piece = (await read(client, uri)).text;
    assert.ok(Buffer.byteLength(piece) < 66_000);
    pieces += 1;
    const [notice, next = '', offset] =
      /\n?\[bytes \d+ to \d+ of \d+; to go on, read (\S+), or call get_execution_output with byte_offset (\d+)\]\n$/.exec(
        piece,
      ) ?? [];
    // A piece may end inside a line: the notice then has a line of its own all the same.
    const data = notice === undefined ? piece : piece.slice(0, -notice.length);
    text += notice !== undefined && offset !== String(Buffer.byteLength(text + data)) ? `${data}\n` : data;
    if (notice === undefined) break;
    assert.equal(offset, String(Buffer.byteLength(text)));
    uri = next;
  }
  assert.equal(text, all);
  assert.equal(pieces, Math.ceil(Buffer.byteLength(all) / 65_536));
});

test('the output of what still runs says so, and where to go on', async () => {
  const { execution_id: id } = await run('console.log("on"); while (true);', { wait_secs: 1 });
  const { text } = await read(client, `cay://executions/${id}/output`);
  const next = `cay://executions/${id}/output?byte_offset=3`;
  assert.equal(text, `on\n[still running; to go on, read ${next}, or call get_execution_output with byte_offset 3]\n`);
  assert.equal((await readJson(`cay://executions/${id}`)).status, 'running');
  await call(client, 'cancel_execution', { execution_id: id });
  assert.equal((await read(client, next)).text, '');
});

test('the calls of code that calls tools, in pages', async () => {
  const code = 'for (let i = 0; i < 130; i++) call_tool("box", "echo", { message: String(i) }); 1';
  assert.equal((await call(client, 'code_execution', { code })).ok, true);
  const [, , calls] = (await client.listResources()).resources;
  const uri = calls?.uri ?? '';
  assert.match(uri, /^cay:\/\/executions\/[^/]+\/calls$/);
  const first = await readJson(uri);
  assert.deepEqual([first.calls.length, first.next], [100, `${uri}?after=99`]);
  assert.deepEqual([first.calls[7].tool, first.calls[7].arguments.text], ['echo', '{"message":"7"}']);
  const second = await readJson(first.next);
  assert.deepEqual([second.calls.length, second.calls[0].index, second.next], [30, 100, null]);
});

test('calls with large texts come in smaller pages', async () => {
  const code = 'for (let i = 0; i < 9; i++) call_tool("box", "echo", { message: "x".repeat(50000) }); 1';
  await call(client, 'code_execution', { code });
  const [, , calls] = (await client.listResources()).resources;
  const seen: number[] = [];
  for (let uri = calls?.uri ?? null; uri !== null; ) {
    const page = await readJson(uri);
    assert.ok(page.calls.length > 0 && JSON.stringify(page).length < 400_000);
    seen.push(...page.calls.map(({ index }: { index: number }) => index));
    uri = page.next;
  }
  assert.deepEqual(seen, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

test("a session's history: its newest runs, then earlier ones", async (t) => {
  const headers = { 'X-MCP-Session-Id': 'long/é' };
  const one = await httpClient(t, server.url, { headers });
  for (let i = 0; i < 105; i++) await call(one, 'run_js', { code: String(i), heap: 'latest' });
  await call(one, 'run_js', { code: '1', heap: 'latest', wait_secs: 30 });
  const uri = 'cay://sessions/long%2F%C3%A9';
  const newest = await readJson(uri);
  const indexes = (page: { entries: { index: number }[] }) => [page.entries[0]?.index, page.entries.at(-1)?.index];
  assert.deepEqual([newest.session, ...indexes(newest)], ['long/é', 6, 105]);
  assert.equal(newest.entries[0].code, undefined);
  const earlier = await readJson(newest.earlier);
  assert.deepEqual([...indexes(earlier), earlier.earlier], [0, 5, null]);
  await assert.rejects(client.readResource({ uri: 'cay://sessions/none' }), /Session 'none' not found/);
});

const unknown = [
  'cay://executions',
  'cay://executions/',
  'cay://executions/x/heap',
  'cay://executions/x/output/',
  'cay://executions/x/output?byte_offset=-1',
  'cay://executions/x/output?line_offset=1',
  'cay://executions/%',
  'cay://sessions/a/b',
  'cay:executions/x',
  'CAY://executions/x',
  'file:///etc/passwd',
  '',
];

for (const uri of unknown) {
  test(`there is no resource ${JSON.stringify(uri)}`, async () => {
    await assert.rejects(client.readResource({ uri }), (error) => {
      assert.ok(error instanceof ProtocolError);
      assert.equal(error.code, -32_602);
      assert.match(error.message, /not found: there are cay:\/\/executions\/\{id\}/);
      return true;
    });
  });
}

test('a cursor that is not ours is refused', async () => {
  for (const cursor of ['', '7', 'x-y', '1-2-3', `${'9'.repeat(20)}-1`]) {
    await assert.rejects(client.listResources({ cursor }), /cursor: expected the nextCursor of an earlier page, got/);
  }
  assert.deepEqual((await client.listResources({ cursor: '0-0' })).resources, []);
});

test('completion: names of sessions, nothing for what a template has not, and a refusal for what is no template', async () => {
  const named = await httpClient(file, server.url, { headers: { 'X-MCP-Session-Id': 'alpha one' } });
  await call(named, 'run_js', { code: '1', wait_secs: 30 });
  const values = async (uri: string, name: string, value: string) =>
    (await client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value } })).completion.values;
  assert.deepEqual(await values('cay://sessions/{name}', 'name', 'alp'), ['alpha one']);
  assert.deepEqual(await values('cay://sessions/{name}', 'id', ''), []);
  assert.deepEqual(await values('cay://executions/{id}', 'id', 'zzz'), []);
  await assert.rejects(
    values('cay://heaps/{key}', 'key', ''),
    /ref: expected one of cay:\/\/executions\/\{id\}, .* got cay:\/\/heaps/,
  );
  const prompt = client.complete({ ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } });
  await assert.rejects(prompt, /got the prompt p/);
});

test('a stateless server has no resources, and says so', async (t) => {
  const { url } = await startServer(t, { args: ['--stateless'] });
  for (const revision of revisions) {
    const one = await httpClient(t, url, { revision });
    const { resources, completions, tools } = one.getServerCapabilities() ?? {};
    assert.deepEqual([resources, completions, typeof tools], [undefined, undefined, 'object'], revision);
    await assert.rejects(one.request({ method: 'resources/list' }), /Method not found/, revision);
  }
});

test('the list has pages, and ends with the newest 1,000 executions', async () => {
  const submit = async () =>
    (await json(await fetch(`${server.url}/api/exec`, { method: 'POST', body: '{"code": ""}' }))).execution_id;
  for (let i = 0; i < 1010; i += 10) await Promise.all(Array.from({ length: 10 }, submit));
  const outputs = (resources: readonly { uri: string }[]) => resources.filter(({ uri }) => uri.endsWith('/output'));
  const { resources } = await client.listResources();
  assert.equal(outputs(resources).length, 1000);
  assert.equal(new Set(resources.map(({ uri }) => uri)).size, 2000);

  const first = await client.request({ method: 'resources/list' });
  assert.equal(outputs(first.resources).length, 100);
  const newer = await submit();
  const second = await client.listResources({ cursor: first.nextCursor });
  assert.equal(second.resources[0]?.uri, resources[200]?.uri, 'what comes meanwhile moves nothing');
  assert.equal((await client.request({ method: 'resources/list' })).resources[0]?.uri, `cay://executions/${newer}`);

  const { completion } = await client.complete({
    ref: { type: 'ref/resource', uri: 'cay://executions/{id}' },
    argument: { name: 'id', value: '' },
  });
  assert.deepEqual([completion.values.length, completion.values[0], completion.hasMore], [100, newer, true]);
});
