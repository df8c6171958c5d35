import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wholeFile } from '../cleanup.ts';
import { call, httpClient, json, startServer } from '../server/running.ts';
import { startCodeServer } from './doors.ts';
import { startWeb } from './web.ts';

const file = wholeFile();
const web = await startWeb(file);
const host = `127.0.0.1:${web.port}`;
const settings = {
  CAY_FETCH: JSON.stringify({ allow: [{ host, headers: { 'X-Api-Key': '${WEB_KEY}' } }] }),
  WEB_KEY: 'key-0123456789',
};

test('run_js fetches what the owner allows, keeps it in its heap, and the owner sees each request', async () => {
  const server = await startServer(file, { env: settings });
  const client = await httpClient(file, server.url);
  const run = (code: string, heap?: unknown) =>
    call(client, 'run_js', { code, wait_secs: 30, ...(heap ? { heap } : {}) });
  const first = await run(
    `const page = await fetch('http://${host}/data'); const told = await fetch('http://example.com/').catch((e) => e.message); page.status`,
  );
  assert.deepEqual([first.status, first.result], ['completed', '200'], JSON.stringify(first));
  assert.equal(web.seen.at(-1)?.headers['x-api-key'], 'key-0123456789');
  const second = await run('[told, (await page.json()).path, typeof fetch]', first.heap);
  assert.equal(second.result, '["fetch failed: host example.com is not in fetch.allow","/data","function"]');
  const calls = await json(await fetch(`${server.url}/api/executions/${first.execution_id}/calls`));
  const kept = calls.calls.map(({ server: of, tool, outcome }: Record<string, unknown>) => [of, tool, outcome]);
  assert.deepEqual(kept, [
    ['fetch', 'GET', 'ok'],
    ['fetch', 'GET', 'refused'],
  ]);
  assert.doesNotMatch(JSON.stringify([first, second, calls]) + server.log(), /key-0123456789/);
});

test('without a list there is no fetch', async () => {
  const server = await startServer(file);
  const client = await httpClient(file, server.url);
  const { result } = await call(client, 'run_js', {
    code: '[typeof fetch, typeof Response, typeof Headers]',
    wait_secs: 30,
  });
  assert.equal(result, '["undefined","undefined","undefined"]');
});

test('code_execution has no fetch, whatever is listed', async () => {
  const { value } = await startCodeServer(file, { servers: {}, settings });
  assert.deepEqual(await value('[typeof fetch, typeof Response, typeof Headers]'), [
    'undefined',
    'undefined',
    'undefined',
  ]);
});
