import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { before, test } from 'node:test';
import { atEnd, wholeFile } from '../cleanup.ts';
import { openStream, post } from './event-stream.ts';
import { call, json, sseClient, startServer } from './running.ts';

const file = wholeFile();
const ports = ['--sse-port', '0'];
let url: string;
before(async () => {
  url = (await startServer(file, { ports })).url;
});

const runJs = (id: number, code: string, more: object = {}) => ({
  id,
  method: 'tools/call',
  params: { name: 'run_js', arguments: { code, ...more }, _meta: { progressToken: id } },
});

async function untilGone(endpoint: string): Promise<void> {
  while ((await post(endpoint, '{}')).status !== 404);
}

test('a client that goes away in the middle of a call: its stream is forgotten, its run goes on', async (t) => {
  const stream = await openStream(t, url, { 'X-MCP-Session-Id': 'left' });
  const code = 'console.log("on"); await new Promise((r) => setTimeout(r, 1000)); let kept = 7';
  await stream.send(runJs(1, code, { heap: 'latest', wait_secs: 60 }));
  assert.equal((await stream.next()).params.message, 'on');
  stream.leave();
  await untilGone(stream.endpoint);
  const next = { code: 'kept', session: 'left', heap: 'latest', wait_secs: 30 };
  assert.equal((await json(await post(`${url}/api/exec`, JSON.stringify(next)))).result, '7');
});

test('without state, the run ends with the client that waited for it', async (t) => {
  const { url: stateless } = await startServer(t, {
    ports,
    args: ['--stateless', '--max-concurrent-executions', '1'],
  });
  const stream = await openStream(t, stateless);
  await stream.send(runJs(1, 'console.log("on"); while (true);', { execution_timeout_secs: 300 }));
  assert.equal((await stream.next()).params.message, 'on');
  stream.leave();
  // The one slot is free again, long before the time-out.
  const client = await sseClient(t, stateless);
  assert.equal((await call(client, 'run_js', { code: '1' })).result, '1');
});

test('a client that asks on and on and reads nothing loses its stream', async (t) => {
  const code = 'for (let i = 0; i < 1024; i++) console.log("x".repeat(1023))';
  const { execution_id } = await json(await post(`${url}/api/exec`, JSON.stringify({ code, wait_secs: 30 })));
  const stream = await openStream(t, url);
  const given = { execution_id, byte_offset: 0, byte_limit: 2 ** 20 };
  const ask = (id: number) =>
    stream.send({ id, method: 'tools/call', params: { name: 'get_execution_output', arguments: given } });
  let asked = 0;
  while ((await ask(++asked)).status === 202) assert.ok(asked < 500, 'it may pile up answers for ever');
});

test('a flood of streams leaves those that are open alone, and is over when it is', async (t) => {
  const stream = await openStream(t, url);
  const flood = connect(Number(new URL(url).port), '127.0.0.1');
  atEnd(t, () => flood.destroy());
  flood.write('GET /sse HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(1100)); // one connection is enough for it
  const statusOfOneMore = async () => {
    const response = await fetch(`${url}/sse`);
    await response.body?.cancel();
    return response.status;
  };
  while ((await statusOfOneMore()) !== 429);
  await stream.send({ id: 1, method: 'ping' });
  assert.equal((await stream.next()).id, 1);
  flood.destroy();
  while ((await statusOfOneMore()) !== 200);
});

test('a token is asked for on the stream and on every message', async (t) => {
  const token = 'a-token-of-the-owner';
  const { url: locked } = await startServer(t, { ports, args: ['--auth-token', token] });
  const headers = { Authorization: `Bearer ${token}` };
  const client = await sseClient(t, locked, { headers });
  assert.deepEqual(await call(client, 'list_sessions'), { sessions: [] });
  await assert.rejects(sseClient(t, locked), /401/);
  const stream = await openStream(t, locked, headers);
  assert.equal((await stream.send({ id: 1, method: 'ping' }, {})).status, 401);
  assert.equal((await stream.send({ id: 1, method: 'ping' }, { Authorization: 'Bearer x' })).status, 401);
  assert.equal((await stream.send({ id: 2, method: 'ping' })).status, 202);
  assert.equal((await stream.next()).id, 2);
});

test('an end of the server ends the streams; a client that comes back to the next one finds what ran', async (t) => {
  const first = await startServer(t, { ports });
  const stream = await openStream(t, first.url);
  const client = await sseClient(t, first.url);
  const { execution_id } = await call(client, 'run_js', {
    code: 'await new Promise((r) => setTimeout(r, 500)); "done"',
  });
  assert.equal(await first.stop(), 0);
  assert.equal(await stream.next().catch(() => null), null);
  await startServer(t, { ports: ['--sse-port', new URL(first.url).port], folder: first.folder });
  let found: Record<string, unknown> | null = null;
  while (!found) found = await call(client, 'get_execution', { execution_id }).catch(() => null);
  assert.equal(found.result, '"done"');
});
