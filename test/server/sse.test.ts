import assert from 'node:assert/strict';
import { request } from 'node:http';
import { before, test } from 'node:test';
import { Client, SSEClientTransport } from '@modelcontextprotocol/client';
import { atEnd, temporaryFolder, wholeFile } from '../cleanup.ts';
import { Cay, cay, main } from '../cli/cay.ts';
import { openStream, post } from './event-stream.ts';
import { call, httpClient, json, type RunningServer, refused, revisions, sseClient, startServer } from './running.ts';

const file = wholeFile();
const ports = ['--sse-port', '0'];
let server: RunningServer;
let url: string;
before(async () => {
  server = await startServer(file, { ports });
  url = server.url;
});

for (const revision of revisions) {
  test(`the official client works, revision ${revision}`, async (t) => {
    const client = await sseClient(t, url, { revision });
    assert.equal(client.getNegotiatedProtocolVersion(), revision);
    assert.equal(client.getServerVersion()?.name, 'cay');
    assert.equal((await client.listTools()).tools.length, 11);
    const first = await call(client, 'run_js', { code: 'let n = 20; console.log("hi")', wait_secs: 30 });
    assert.equal((await call(client, 'run_js', { code: 'n * 2', heap: first.heap, wait_secs: 30 })).result, '40');
    const { data } = await call(client, 'get_execution_output', { execution_id: first.execution_id });
    assert.equal(data, 'hi\n');
    assert.match(await refused(client, 'run_js', { cod: '1' }), /did you mean "code"/);
    await assert.rejects(client.callTool({ name: 'run_jss' }), /Tool run_jss not found/);
  });

  test(`the stream's X-MCP-Session-Id names the session, revision ${revision}`, async (t) => {
    const session = `sse é ${revision}`;
    const headers = { 'X-MCP-Session-Id': Buffer.from(session).toString('latin1') };
    const client = await sseClient(t, url, { revision, headers });
    await call(client, 'run_js', { code: 'let a = 1', wait_secs: 30 });
    const { entries } = await call(client, 'list_session_snapshots', { fields: 'code' });
    assert.deepEqual(entries, [{ code: 'let a = 1' }]);
    const { sessions } = await call(client, 'list_sessions');
    assert.ok(Array.isArray(sessions) && sessions.includes(session));
    const other = await sseClient(t, url, { revision });
    const { execution_id } = await call(other, 'run_js', { code: '1', wait_secs: 30 });
    assert.equal((await json(await fetch(`${url}/api/executions/${execution_id}`))).session, null);
  });

  test(`progress comes as it does elsewhere, revision ${revision}`, async (t) => {
    const client = await sseClient(t, url, { revision });
    const seen: unknown[] = [];
    const given = { name: 'run_js', arguments: { code: 'console.log("step")', wait_secs: 30 } };
    await client.callTool(given, { onprogress: ({ message }) => seen.push(message) });
    assert.deepEqual(seen, ['step']);
  });
}

test('a client that asks for no revision gets the newest that has a handshake', async (t) => {
  const client = new Client({ name: 'test', version: '1' });
  atEnd(t, () => client.close());
  await client.connect(new SSEClientTransport(new URL(`${url}/sse`)));
  assert.equal(client.getNegotiatedProtocolVersion(), '2025-11-25');
});

test('a client of 2024 gets its own revision', async (t) => {
  const stream = await openStream(t, url);
  const params = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'old', version: '0' } };
  assert.equal((await stream.send({ id: 1, method: 'initialize', params })).status, 202);
  assert.equal((await stream.next()).result.protocolVersion, '2024-11-05');
  await stream.send({ method: 'notifications/initialized' });
  await stream.send({ id: 2, method: 'tools/call', params: { name: 'list_sessions' } });
  assert.equal((await stream.next()).id, 2);
});

test('the same port has /api, /health and /metrics, and no /mcp', async () => {
  const body = JSON.stringify({ code: '6 * 7', wait_secs: 30 });
  assert.equal((await json(await post(`${url}/api/exec`, body))).result, '42');
  assert.equal((await json(await fetch(`${url}/health`))).status, 'ok');
  assert.match(await (await fetch(`${url}/metrics`)).text(), /cay_http_requests_total\{method="GET",route="\/sse"/);
  assert.equal((await post(`${url}/mcp`, '{}')).status, 404);
});

const bad: readonly (readonly [what: string, body: string, headers: Record<string, string>, status: number])[] = [
  ['what is not JSON', '{', {}, 400],
  ['JSON that is no message', '{"method": 7}', {}, 400],
  ['a batch', '[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', {}, 400],
  ['nothing', '', {}, 400],
  ['another type', '{"jsonrpc": "2.0", "id": 1, "method": "ping"}', { 'Content-Type': 'text/plain' }, 415],
];

for (const [what, body, headers, status] of bad) {
  test(`${what} gets ${status}, and the stream stays`, async (t) => {
    const stream = await openStream(t, url);
    const response = await post(stream.endpoint, body, headers);
    assert.equal(response.status, status);
    assert.equal(typeof (await json(response)).error.message, 'string');
    await stream.send({ id: 5, method: 'ping' });
    assert.deepEqual(await stream.next(), { jsonrpc: '2.0', id: 5, result: {} });
  });
}

test('a message for a stream that is not there gets 404', async () => {
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  for (const query of ['', '?sessionId=', '?sessionId=7', '?sessionId=__proto__', '?session=x']) {
    const response = await post(`${url}/message${query}`, ping);
    assert.equal(response.status, 404, query);
    assert.match((await json(response)).error.message, /GET \/sse/);
  }
});

test('a body that is too large gets 413, announced or not', async (t) => {
  const { endpoint } = await openStream(t, url);
  const status = (headers: Record<string, string>, body: () => string | null) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request(endpoint, {
        agent: false,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
      });
      sent.on('error', reject).on('response', ({ statusCode }) => {
        resolve(statusCode);
        sent.destroy();
      });
      for (let piece = body(); piece !== null; piece = body()) sent.write(piece);
      if (headers['content-length'] === undefined) sent.end();
      else sent.flushHeaders();
    });
  assert.equal(await status({ 'content-length': String(65 * 2 ** 20) }, () => null), 413);
  let left = 65;
  assert.equal(await status({}, () => (left-- > 0 ? ' '.repeat(2 ** 20) : null)), 413);
});

test('what is neither GET /sse nor POST /message gets 405', async () => {
  const statusOf = async (path: string, method: string) => (await fetch(url + path, { method })).status;
  for (const method of ['POST', 'PUT', 'DELETE', 'HEAD']) assert.equal(await statusOf('/sse', method), 405, method);
  for (const method of ['GET', 'PUT', 'DELETE', 'HEAD']) assert.equal(await statusOf('/message', method), 405, method);
});

test('an answer goes to the stream that asked, and to no other', async (t) => {
  const [one, other] = [await openStream(t, url), await openStream(t, url)];
  await one.send({ id: 'one', method: 'ping' });
  await other.send({ id: 'other', method: 'ping' });
  assert.deepEqual([(await one.next()).id, (await other.next()).id], ['one', 'other']);
});

test('pages of other sites, and names that are not ours, are turned away', async (t) => {
  const origin = { Origin: 'https://evil.example' };
  assert.equal((await fetch(`${url}/sse`, { headers: origin })).status, 403);
  const stream = await openStream(t, url);
  assert.equal((await stream.send({ id: 1, method: 'ping' }, origin)).status, 403);
  const rebound = new Promise<number | undefined>((resolve, reject) => {
    const sent = request(`${url}/sse`, { agent: false, headers: { host: 'evil.example' } });
    sent
      .on('response', (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });
  assert.equal(await rebound, 403);
});

test('both transports in one process: one store, one count of requests', async (t) => {
  const { urls } = await startServer(t, { ports: ['--http-port', '0', '--sse-port', '0'] });
  const [http = '', sse = ''] = urls;
  const { heap } = await call(await httpClient(t, http), 'run_js', { code: 'let n = 20', wait_secs: 30 });
  assert.equal((await call(await sseClient(t, sse), 'run_js', { code: 'n + 1', heap, wait_secs: 30 })).result, '21');
  assert.equal((await fetch(`${http}/sse`)).status, 404);
  for (const one of [http, sse]) {
    const metrics = await (await fetch(`${one}/metrics`)).text();
    assert.match(metrics, /route="\/mcp"/);
    assert.match(metrics, /route="\/message"/);
    assert.match(metrics, /cay_executions_total\{status="completed"\} 2\n/);
  }
});

test('the welcome has what to paste, for each port', async (t) => {
  const args = ['serve', '--http-port', '0', '--sse-port', '0', '--auth-token', 'x', '--data-dir', temporaryFolder(t)];
  const started = new Cay(process.execPath, [main, ...args]);
  atEnd(t, () => started.kill());
  await started.seen(/Ctrl-C ends it/);
  const [, http, sse] = /listens on (\S+) and (\S+) \(SSE\) and keeps its data in/.exec(started.stdout) ?? [];
  const headers = { Authorization: 'Bearer <your token>' };
  const pasted = started.stdout.match(/^\{$.*?^\}$/gms)?.map((text) => JSON.parse(text));
  assert.deepEqual(pasted, [
    { mcpServers: { cay: { type: 'http', url: `${http}/mcp`, headers } } },
    { mcpServers: { cay: { type: 'sse', url: `${sse}/sse`, headers } } },
  ]);
  started.interrupt();
  assert.equal((await started.ended).code, 0);
});

test('a port that is taken is said with its flag, and nothing stays open', async (t) => {
  const taken = new URL(url).port;
  const args = ['serve', '--http-port', '0', '--sse-port', taken, '--data-dir', temporaryFolder(t)];
  const { code, stderr } = await cay(args);
  assert.equal(code, 2);
  assert.match(stderr, /^cay: Cannot listen on 127\.0\.0\.1:\d+: the port is taken, choose another with --sse-port$/m);
});
