import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { before, test } from 'node:test';
import { wholeFile } from '../cleanup.ts';
import { call, httpClient, type RunningServer, startServer } from './running.ts';

const file = wholeFile();
const token = 'a-token-of-the-owner';
let open: RunningServer;
let locked: RunningServer;
before(async () => {
  const args = ['--auth-token', token, '--bind-host', '0.0.0.0'];
  [open, locked] = await Promise.all([
    startServer(file, { args: ['--allowed-hosts', 'cay.example, other.example'] }),
    startServer(file, { args }),
  ]);
});

/** fetch() does not let a caller choose the Host header. */
function status(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    sent.on('error', reject).end();
  });
}

const hosts: readonly (readonly [host: string, status: number])[] = [
  ['localhost', 200],
  ['localhost:1234', 200],
  ['127.0.0.1:8080', 200],
  ['[::1]:8080', 200],
  ['cay.example', 200],
  ['other.example:443', 200],
  ['evil.example', 403],
  ['localhost.evil.example', 403],
  ['169.254.169.254', 403],
];

for (const [host, expected] of hosts) {
  test(`Host: ${host} gets ${expected}`, async () =>
    assert.equal(await status(`${open.url}/health`, { host }), expected));
}

const origins: readonly (readonly [origin: string, status: number])[] = [
  ['http://localhost:5173', 200],
  ['http://127.0.0.1', 200],
  ['https://cay.example', 200],
  ['https://evil.example', 403],
  ['null', 403],
];

for (const [origin, expected] of origins) {
  test(`Origin: ${origin} gets ${expected}`, async () => {
    assert.equal(await status(`${open.url}/health`, { origin }), expected);
  });
}

test('the checks are there for every surface', async () => {
  for (const path of ['/mcp', '/api/executions', '/api/openapi.json', '/health', '/metrics', '/nothing']) {
    assert.equal(await status(open.url + path, { host: 'evil.example' }), 403, path);
  }
  assert.equal(await status(`${open.url}/api/exec`, { origin: 'https://evil.example' }, 'POST'), 403);
});

test('a token is asked for on every surface', async () => {
  const url = locked.url.replace('0.0.0.0', '127.0.0.1');
  for (const path of ['/mcp', '/api/executions', '/api/openapi.json', '/health', '/metrics', '/nothing']) {
    assert.equal(await status(url + path), 401, path);
  }
  const health = (authorization: string) => status(`${url}/health`, { authorization });
  assert.equal(await health(`Bearer ${token}`), 200);
  assert.equal(await health(`bearer ${token}`), 200);
  for (const wrong of [`Bearer ${token}x`, `Bearer ${token.slice(0, -1)}`, 'Bearer ', token, `Basic ${token}`]) {
    assert.equal(await health(wrong), 401, wrong);
  }
  const refusal = await fetch(`${url}/health`);
  assert.equal(refusal.headers.get('www-authenticate'), 'Bearer');
  assert.equal(await refusal.text(), '{"error":{"code":"unauthorized","message":"A bearer token is needed"}}');
});

test('a server on the network is reached under any name, with the token, and not from other sites', async () => {
  const url = locked.url.replace('0.0.0.0', '127.0.0.1');
  const authorization = `Bearer ${token}`;
  assert.equal(await status(`${url}/health`, { authorization, host: 'box.lan:8080' }), 200);
  assert.equal(await status(`${url}/health`, { authorization, host: 'box.lan', origin: 'http://box.lan' }), 200);
  assert.equal(await status(`${url}/health`, { authorization, host: 'box.lan', origin: 'http://evil.example' }), 403);
});

test('the official client brings the token', async (t) => {
  const url = locked.url.replace('0.0.0.0', '127.0.0.1');
  const client = await httpClient(t, url, { headers: { Authorization: `Bearer ${token}` } });
  assert.deepEqual(await call(client, 'list_sessions'), { sessions: [] });
  await assert.rejects(httpClient(t, url));
});

test('the token may come from the environment, and is not printed', async (t) => {
  const server = await startServer(t, { env: { CAY_AUTH_TOKEN: token }, args: ['--log-level', 'trace'] });
  assert.equal(await status(`${server.url}/health`), 401);
  assert.equal(await status(`${server.url}/health`, { authorization: `Bearer ${token}` }), 200);
  assert.ok(!server.log().includes(token));
});
