import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { atEnd, temporaryFolder } from '../cleanup.ts';
import { open } from './opened.ts';
import { everything, memory, toolbox } from './servers/configuration.ts';
import { startHttpToolbox } from './servers/http-toolbox.ts';
import { startSseToolbox } from './servers/sse-toolbox.ts';
import { png } from './servers/toolbox-tools.ts';

test('a stdio server is connected in the background, and its tools are known with their schemas', async (t) => {
  const { upstreams, status, becomes } = open(t, { box: toolbox() });
  assert.equal(status('box').state, 'connecting');
  assert.deepEqual(upstreams.known(), []);
  await becomes('box', 'connected');
  assert.deepEqual(upstreams.names, ['box']);
  const add = upstreams.known().find(({ name }) => name === 'add');
  assert.equal(add?.server, 'box');
  assert.equal(add?.title, 'Add');
  assert.equal(add?.description, 'Adds two numbers.');
  assert.deepEqual(add?.inputSchema.required, ['a', 'b']);
  assert.deepEqual(add?.outputSchema?.required, ['sum']);
  assert.equal(upstreams.known().find(({ name }) => name === 'echo')?.outputSchema, null);
  const { tools, transport, lastError, serverInfo, callsInFlight } = status('box');
  assert.equal(tools, upstreams.known().length);
  assert.equal(transport, 'stdio');
  assert.equal(lastError, null);
  assert.equal(callsInFlight, 0);
  assert.deepEqual(serverInfo, { name: 'toolbox', version: '1.2.3' });
});

test('a call waits for a server that is still connecting', async (t) => {
  const { call, upstreams, status } = open(t, { box: toolbox({ startDelay: 300 }) });
  assert.equal(status('box').state, 'connecting');
  assert.deepEqual(await call('box', 'add', { a: 2, b: 3 }), { sum: 5 });
  assert.equal((await upstreams.tools('box', t.signal)).length, upstreams.known().length);
});

test('every kind of content arrives as the server sent it', async (t) => {
  const { upstreams } = open(t, { box: toolbox() });
  const call = (tool: string, args: Record<string, unknown> = {}) =>
    upstreams.call({ server: 'box', tool, args, signal: t.signal });
  const structured = await call('structured');
  assert.deepEqual(structured.structuredContent, { items: [1, 2, { three: 'drei' }] });
  assert.deepEqual(structured.content, [{ type: 'text', text: 'see structuredContent' }]);
  assert.deepEqual(await call('text', { text: 'plain' }), {
    isError: false,
    content: [{ type: 'text', text: 'plain' }],
    structuredContent: undefined,
  });
  assert.deepEqual((await call('json_text', { value: [1, null] })).content, [{ type: 'text', text: '[1,null]' }]);
  assert.deepEqual((await call('image')).content, [{ type: 'image', data: png, mimeType: 'image/png' }]);
  assert.deepEqual(
    (await call('mixed')).content.map(({ type }) => type),
    ['text', 'image', 'resource', 'resource_link'],
  );
  assert.deepEqual((await call('empty')).content, []);
  const failed = await call('fail', { message: 'no such thing' });
  assert.equal(failed.isError, true);
  assert.deepEqual(failed.content, [{ type: 'text', text: 'no such thing' }]);
  const unicode = Object(await call('unicode')).structuredContent;
  assert.equal(unicode.größe, '你好 🦜\u2028');
  assert.equal(unicode.emoji, '👩‍👩‍👧');
  assert.equal(unicode['zu "zitieren"\n'].isWellFormed(), false);
});

test('an answer that is not what its output schema says is passed on all the same', async (t) => {
  const { call } = open(t, { box: toolbox() });
  assert.deepEqual(await call('box', 'wrong_structured'), { count: 'many' });
});

test('a server that is not there and a tool that is not there are told apart, with the nearest name', async (t) => {
  const { call, becomes } = open(t, { box: toolbox() });
  await becomes('box', 'connected');
  await assert.rejects(call('bix', 'add'), {
    code: 'server_not_found',
    message: "Server 'bix' not found: did you mean 'box'?",
  });
  await assert.rejects(call('box', 'ad'), {
    code: 'tool_not_found',
    message: "Tool 'ad' not found on server 'box': did you mean 'add'?",
  });
  await assert.rejects(call('box', 'throws', { message: 'not today' }), {
    code: 'upstream_error',
    message: /^Server 'box' refused the call of 'throws': .*not today$/,
  });
  const none = open(t, {});
  await assert.rejects(none.call('box', 'add'), { message: "Server 'box' not found: none is configured" });
});

test('progress is passed on', async (t) => {
  const { upstreams } = open(t, { box: toolbox() });
  const seen: string[] = [];
  const onProgress = (text: string) => seen.push(text);
  await upstreams.call({ server: 'box', tool: 'progress', args: { steps: 3 }, signal: t.signal, onProgress });
  assert.deepEqual(seen, ['step 1', 'step 2', 'step 3']);
});

test('300 tools on six pages are all listed, and the last one can be called', async (t) => {
  const { upstreams, text, becomes } = open(t, { box: toolbox({ items: 300, pageSize: 50 }) });
  await becomes('box', 'connected');
  assert.equal(upstreams.known().filter(({ name }) => name.startsWith('item_')).length, 300);
  assert.equal(await text('box', 'item_299', { id: '1' }), 'item_299');
});

test('a result of 20 MB arrives whole', async (t) => {
  const http = await startHttpToolbox();
  atEnd(t, () => http.close());
  const { text } = open(t, { box: toolbox(), web: { url: http.url } });
  const bytes = 20 * 2 ** 20;
  assert.equal((await text('box', 'big', { bytes })).length, bytes);
  assert.equal((await text('web', 'big', { bytes })).length, bytes);
});

test('arguments of 5 MB arrive whole', async (t) => {
  const { call } = open(t, { box: toolbox() });
  const value = 'ä🦜'.repeat(1_000_000);
  assert.equal((await call('box', 'echo', { value })).value, value);
});

test('Streamable HTTP and SSE are found out, with the headers of the configuration', async (t) => {
  const token = 'a-token-that-is-long';
  const http = await startHttpToolbox({ token });
  const sse = await startSseToolbox({ token });
  atEnd(t, () => Promise.all([http.close(), sse.close()]));
  const headers = { Authorization: 'Bearer ${TOKEN}' };
  const { call, status } = open(
    t,
    {
      http: { url: http.url, headers },
      sse: { url: sse.url, headers },
      said: { url: sse.url, headers, type: 'sse' },
      also: { url: http.url, headers, transport: 'streamable-http' },
    },
    { environment: { TOKEN: token } },
  );
  for (const server of ['http', 'sse', 'said', 'also']) {
    assert.deepEqual(await call(server, 'add', { a: 1, b: 1 }), { sum: 2 }, server);
  }
  assert.deepEqual(
    ['http', 'sse', 'said', 'also'].map((name) => status(name).transport),
    ['http', 'sse', 'sse', 'http'],
  );
  assert.ok([...http.seen, ...sse.seen].every(({ authorization }) => authorization === `Bearer ${token}`));
});

test('servers that speak only revision 2026-07-28 are spoken to in it', async (t) => {
  const http = await startHttpToolbox({ modern: true });
  atEnd(t, () => http.close());
  const { call, status } = open(t, { box: toolbox({ modern: true }), web: { url: http.url } });
  assert.deepEqual(await call('box', 'add', { a: 1, b: 2 }), { sum: 3 });
  assert.deepEqual(await call('web', 'add', { a: 1, b: 2 }), { sum: 3 });
  assert.deepEqual(status('box').serverInfo, { name: 'toolbox', version: '1.2.3' });
});

test("servers that others have published work: 'everything'", async (t) => {
  const { text, upstreams } = open(t, { everything });
  assert.equal(await text('everything', 'echo', { message: 'hi' }), 'Echo: hi');
  const tools = await upstreams.tools('everything', t.signal);
  assert.ok(tools.some(({ name }) => name === 'get-structured-content'));
  const { structuredContent } = await upstreams.call({
    server: 'everything',
    tool: 'get-structured-content',
    args: { location: 'New York' },
    signal: t.signal,
  });
  assert.equal(typeof Object(structuredContent).temperature, 'number');
});

test("servers that others have published work: 'memory'", async (t) => {
  const { call } = open(t, { memory: memory(join(temporaryFolder(t), 'graph.json')) });
  const entities = [{ name: 'Cay', entityType: 'island', observations: ['small', 'größer als gedacht'] }];
  await call('memory', 'create_entities', { entities });
  assert.deepEqual((await call('memory', 'read_graph')).entities, entities);
});
