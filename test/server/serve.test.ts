import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Cay, cay, main } from '../cli/cay.ts';
import { call, httpClient, json, startServer, temporaryFolder } from './running.ts';

const message = (id: number, method: string, params: unknown) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const initialize = message(1, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '0' },
});
const runJs = (id: number, code: string) =>
  message(id, 'tools/call', { name: 'run_js', arguments: { code, wait_secs: 60 } });

test('cay alone speaks MCP on stdio, answers what was asked, and ends with its input', async (t) => {
  const input = initialize + runJs(2, 'await new Promise((r) => setTimeout(r, 300)); 42');
  const { code, stdout } = await cay(['--data-dir', temporaryFolder(t)], input);
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(code, 0);
  assert.deepEqual(
    answers.map(({ id }) => id),
    [1, 2],
  );
  assert.equal(answers[1].result.structuredContent.result, '42');
});

test('logs go to stderr as JSON lines, nothing but MCP to stdout', async (t) => {
  const { stdout, stderr } = await cay(['serve', '--data-dir', temporaryFolder(t)], initialize);
  for (const line of [...stdout.trim().split('\n'), ...stderr.trim().split('\n')]) JSON.parse(line);
  assert.match(stderr, /"msg":"speaking MCP on standard input and output"/);
});

test('the welcome has what to paste into a client', async (t) => {
  const folder = temporaryFolder(t);
  const started = new Cay(process.execPath, [main, 'serve', '--http-port', '0', '--data-dir', folder]);
  t.after(() => started.kill());
  await started.seen(/Ctrl-C ends it/);
  const url = /listens on (\S+) and keeps its data in (\S+)/.exec(started.stdout);
  assert.equal(url?.[2], folder);
  const pasted = started.stdout.slice(started.stdout.indexOf('{'), started.stdout.lastIndexOf('}') + 1);
  assert.deepEqual(JSON.parse(pasted), { mcpServers: { cay: { type: 'http', url: `${url?.[1]}/mcp` } } });
  started.interrupt();
  assert.equal((await started.ended).code, 0);
});

test('SIGTERM lets what runs finish, and a restart finds everything', async (t) => {
  const first = await startServer(t);
  const client = await httpClient(t, first.url);
  const kept = await call(client, 'run_js', { code: 'let kept = 7; console.log("out")', wait_secs: 30 });
  const slow = await call(client, 'run_js', { code: 'await new Promise((r) => setTimeout(r, 700)); "done"' });
  assert.equal(await first.stop(), 0);
  const second = await startServer(t, { folder: first.folder });
  const again = await httpClient(t, second.url);
  const { output: _, ...before } = kept;
  assert.deepEqual(await call(again, 'get_execution', { execution_id: kept.execution_id }), before);
  assert.equal((await call(again, 'get_execution_output', { execution_id: kept.execution_id })).data, 'out\n');
  assert.equal((await call(again, 'run_js', { code: 'kept', heap: kept.heap, wait_secs: 30 })).result, '7');
  assert.equal((await call(again, 'get_execution', { execution_id: slow.execution_id })).result, '"done"');
});

test('a second server on one folder is refused in clear words', async (t) => {
  const { folder } = await startServer(t);
  const { code, stderr } = await cay(['serve', '--data-dir', folder]);
  assert.equal(code, 2);
  assert.match(stderr, /^cay: Another Cay server uses the data folder /m);
});

test('a port that is taken is said', async (t) => {
  const { url } = await startServer(t);
  const { code, stderr } = await cay(['--http-port', new URL(url).port, '--data-dir', temporaryFolder(t)]);
  assert.equal(code, 2);
  assert.match(stderr, /^cay: Cannot listen on 127\.0\.0\.1:\d+: .*EADDRINUSE/m);
});

const refused: readonly (readonly [args: readonly string[], message: string])[] = [
  [
    ['--heap-memory-max', '7'],
    'cay: heap_memory_max (--heap-memory-max): expected a whole number from 8 to 4096, got 7',
  ],
  [
    ['--http-port', '0', '--bind-host', '0.0.0.0'],
    'cay: bind_host: 0.0.0.0 can be reached by others; set an auth token (--auth-token, CAY_AUTH_TOKEN)',
  ],
];

for (const [args, said] of refused) {
  test(`refused: cay serve ${args.join(' ')}`, async (t) => {
    const { code, stdout, stderr } = await cay(['serve', '--data-dir', temporaryFolder(t), ...args]);
    assert.deepEqual([code, stdout, stderr.trim().split('\n').at(-1)], [2, '', said]);
  });
}

test('the configuration file counts, and an unknown key warns', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ execution_timeout: 1, heap_memory_maxx: 9 }));
  const server = await startServer(t, { folder });
  assert.match(server.log(), /heap_memory_maxx: unknown, did you mean \\"heap_memory_max\\"\?/);
  const body = JSON.stringify({ code: 'while (true);', wait_secs: 30 });
  const { status } = await json(await fetch(`${server.url}/api/exec`, { method: 'POST', body }));
  assert.equal(status, 'timed_out');
});
