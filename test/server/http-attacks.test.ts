import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { wholeFile } from '../cleanup.ts';
import { json, type RunningServer, startServer } from './running.ts';

const file = wholeFile();
let server: RunningServer;
before(async () => {
  server = await startServer(file, { args: ['--stateless'] });
});

async function opened(): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {}); // the server may end it first
  await once(socket, 'connect');
  return socket;
}

async function answerTo(text: string): Promise<string> {
  const socket = await opened();
  socket.write(text);
  const [answer] = await once(socket, 'data');
  socket.destroy();
  return String(answer);
}

const host = () => new URL(server.url).host;

const memoryMb = () => {
  const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
};

const running = async () => (await json(await fetch(`${server.url}/health`))).running as number;

const becomes = async (count: number) => {
  while ((await running()) !== count) await setTimeout(20);
};

test('a body in chunks of one byte takes little more memory than it has bytes', { timeout: 60_000 }, async () => {
  const before = memoryMb();
  const socket = await opened();
  socket.write(`POST /api/exec HTTP/1.1\r\nhost: ${host()}\r\ntransfer-encoding: chunked\r\n\r\n`);
  const chunks = '1\r\n \r\n'.repeat(10_000);
  for (let i = 0; i < 100; i++) {
    if (!socket.write(chunks)) await once(socket, 'drain');
  }
  socket.write('e\r\n{"code":"1+1"}\r\n0\r\n\r\n');
  const [answer] = await once(socket, 'data');
  socket.destroy();
  assert.match(String(answer), /^HTTP\/1.1 200 /);
  assert.match(String(answer), /"result":"2"/);
  assert.ok(memoryMb() - before < 200, `${Math.round(memoryMb() - before)} MB more`);
});

test('a run that prints many empty lines takes little more memory than it printed', { timeout: 60_000 }, async () => {
  const before = memoryMb();
  const code = 'for (let i = 0; i < 1e6; i++) console.log("")';
  const response = await fetch(`${server.url}/api/exec`, {
    method: 'POST',
    body: JSON.stringify({ code, execution_timeout_secs: 50 }),
  });
  const { output, error } = await json(response);
  assert.deepEqual([output.length, error], [1e6, undefined]);
  assert.ok(memoryMb() - before < 100, `${Math.round(memoryMb() - before)} MB more`);
});

test('a body that is cut off is nothing to be alarmed about', { timeout: 30_000 }, async () => {
  for (const [path, rest] of [
    ['/api/exec', 'content-length: 500\r\n\r\n{"code"'],
    ['/api/exec', 'transfer-encoding: chunked\r\n\r\nzz\r\n'],
    ['/mcp', 'transfer-encoding: chunked\r\n\r\n2\r\n{"\r\n'],
  ]) {
    const socket = await opened();
    const head = `POST ${path} HTTP/1.1\r\nhost: ${host()}\r\ncontent-type: application/json\r\n`;
    socket.write(head + rest, () => socket.destroy());
  }
  const metrics = async () => (await fetch(`${server.url}/metrics`)).text();
  const counted = /route="\/api\/exec",status="400"\} 2\n(.*\n)*.*route="\/mcp",status="400"\} 1\n/;
  while (!counted.test(await metrics())) await setTimeout(20);
  assert.doesNotMatch(server.log(), /a request failed/);
  assert.doesNotMatch(await metrics(), /cay_http_requests_total.*status="500"/);
});

for (const accept of ['', 'accept: application/json\r\n', 'accept: application/json, text/event-stream\r\n']) {
  test(`a run ends with its caller, over MCP with '${accept.trim()}'`, { timeout: 30_000 }, async () => {
    const args = { code: 'for (;;);', execution_timeout_secs: 120 };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'run_js', arguments: args } };
    const body = JSON.stringify(call);
    const socket = await opened();
    const type = `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
    socket.write(`POST /mcp HTTP/1.1\r\nhost: ${host()}\r\n${accept}${type}\r\n${body}`);
    await becomes(1);
    socket.destroy();
    await becomes(0);
  });
}

test('a run ends with its caller on a connection without event streams', { timeout: 30_000 }, async () => {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const post = (body: object, more: Record<string, string> = {}, signal?: AbortSignal) =>
    fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
      signal: signal ?? null,
    });
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const begun = await post({ id: 1, method: 'initialize', params });
  const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
  await post({ method: 'notifications/initialized' }, session);
  const gone = new AbortController();
  const args = { code: 'for (;;);', execution_timeout_secs: 120 };
  const call = { id: 2, method: 'tools/call', params: { name: 'run_js', arguments: args } };
  const called = post(call, session, gone.signal);
  await becomes(1);
  gone.abort();
  await assert.rejects(called);
  await becomes(0);
});

test('a target may be a whole address, however it is written', async () => {
  for (const target of ['http://localhost:80/health', `http://u:p@${host()}/health`, `HTTP://${host()}/health?x`]) {
    const answer = await answerTo(`GET ${target} HTTP/1.1\r\nhost: ${host()}\r\n\r\n`);
    assert.match(answer, /^HTTP\/1.1 200 /, target);
  }
  assert.match(await answerTo(`GET http://${host()} HTTP/1.1\r\nhost: ${host()}\r\n\r\n`), /GET \/ is not served here/);
});
