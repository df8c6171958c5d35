import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { atEnd, temporaryFolder } from '../cleanup.ts';
import { Cay, cay, main } from '../cli/cay.ts';
import { call, httpClient, json, startServer } from './running.ts';

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
  atEnd(t, () => started.kill());
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

test('a Ctrl-C that comes twice, from the terminal and from the launcher, lets what runs finish', async (t) => {
  const { url, folder, process: server } = await startServer(t);
  const client = await httpClient(t, url);
  const slow = await call(client, 'run_js', { code: 'await new Promise((r) => setTimeout(r, 700)); "done"' });
  const ended = once(server, 'close');
  server.kill('SIGINT');
  server.kill('SIGINT');
  assert.deepEqual(await ended, [0, null]);
  const again = await httpClient(t, (await startServer(t, { folder })).url);
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
  assert.match(stderr, /^cay: Cannot listen on 127\.0\.0\.1:\d+: the port is taken, choose another with --http-port$/m);
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
  assert.match(server.log(), /heap_memory_maxx \(\S+config\.json\): unknown, did you mean \\"heap_memory_max\\"\?/);
  const body = JSON.stringify({ code: 'while (true);', wait_secs: 30 });
  const { status } = await json(await fetch(`${server.url}/api/exec`, { method: 'POST', body }));
  assert.equal(status, 'timed_out');
});

const flags: readonly (readonly [flag: string, default_: string | null])[] = [
  ['--http-port <port>', null],
  ['--sse-port <port>', null],
  ['--stateless', null],
  ['--heap-memory-max <mb>', '128'],
  ['--heap-memory-limit <mb>', '512'],
  ['--execution-timeout <seconds>', '30'],
  ['--execution-timeout-limit <seconds>', '300'],
  ['--memory-budget <mb>', 'half of the memory'],
  ['--max-concurrent-executions <count>', 'CPU count'],
  ['--max-output-mb <mb>', '64'],
  ['--session-id <name>', null],
  ['--isolation <mode>', 'shared'],
  ['--retain-days <days>', 'keep'],
  ['--retain-gb <gb>', 'keep'],
  ['--data-dir <folder>', '~/.cay'],
  ['--config <file>', 'config.json in the data folder'],
  ['--bind-host <host>', '127.0.0.1'],
  ['--auth-token <token>', null],
  ['--log-level <level>', 'info'],
];

test('the help names every flag and its default', async () => {
  const { code, stdout } = await cay(['serve', '--help']);
  assert.equal(code, 0);
  const entries = stdout.split(/\n {2}(?=-)/).map((entry) => entry.replaceAll(/\s+/g, ' ').trim());
  for (const [flag, usual] of flags) {
    const entry = entries.find((one) => one.startsWith(`${flag} `)) ?? '';
    assert.equal(/\(default: (.*)\)$/.exec(entry)?.[1] ?? null, usual, flag);
  }
});

/** The processes that a process has started. */
function childrenOf(pid: number | undefined): number[] {
  const lists = readdirSync(`/proc/${pid}/task`).map((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8'),
  );
  return lists.join(' ').trim().split(/\s+/).filter(Boolean).map(Number);
}

for (const isolation of ['shared', 'process']) {
  test(`an isolate process that dies fails its own execution, and says so (${isolation})`, async (t) => {
    const args = ['--isolation', isolation, '--max-concurrent-executions', '1'];
    const server = await startServer(t, { args });
    const client = await httpClient(t, server.url);
    const first = await call(client, 'run_js', { code: 'let kept = 7', wait_secs: 30 });
    const running = await call(client, 'run_js', { code: 'console.log("on"); while (true);', wait_secs: 1 });
    const next = await call(client, 'run_js', { code: 'kept', heap: first.heap });
    for (const pid of childrenOf(server.process.pid)) process.kill(pid, 'SIGKILL');
    const last = await call(client, 'run_js', { code: 'kept + 1', heap: next.execution_id, wait_secs: 30 });
    assert.equal(last.result, '8');
    const died = await call(client, 'get_execution', { execution_id: running.execution_id });
    assert.equal(died.status, 'failed');
    assert.match(String(died.error), /died.*SIGKILL/);
    assert.equal((await call(client, 'get_execution_output', { execution_id: running.execution_id })).data, 'on\n');
  });
}

test('after kill -9 what had started has failed, what waited runs, and what ended is there', async (t) => {
  const args = ['--max-concurrent-executions', '1'];
  const first = await startServer(t, { args });
  const client = await httpClient(t, first.url);
  const { output: _, ...done } = await call(client, 'run_js', { code: 'let kept = 7; kept', wait_secs: 30 });
  const { execution_id: started } = await call(client, 'run_js', { code: 'while (true);', wait_secs: 1 });
  const { execution_id: waiting } = await call(client, 'run_js', { code: 'kept * 2', heap: done.heap });
  const before = await call(client, 'get_execution', { execution_id: waiting });
  first.process.kill('SIGKILL');
  await once(first.process, 'exit');
  const again = await httpClient(t, (await startServer(t, { args, folder: first.folder })).url);
  const get = (execution_id: unknown) => call(again, 'get_execution', { execution_id });
  assert.deepEqual(await get(done.execution_id), done);
  const { status, error } = await get(started);
  assert.deepEqual([status, error], ['failed', 'The server stopped while this execution was running']);
  const after = await call(again, 'run_js', { code: '1', heap: waiting, wait_secs: 30 });
  assert.equal(after.status, 'completed');
  const ran = await get(waiting);
  assert.deepEqual([ran.result, ran.started_at], ['14', before.started_at]);
});

test('--retain-days lets untagged heaps go, at the start already; tagged ones, answers and the log stay', async (t) => {
  const first = await startServer(t);
  const exec = async (url: string, body: object) =>
    json(await fetch(`${url}/api/exec`, { method: 'POST', body: JSON.stringify({ wait_secs: 30, ...body }) }));
  const tagged = await exec(first.url, { code: 'let a = 1', tags: { keep: 'me' } });
  const { output: _, ...old } = await exec(first.url, { code: 'let b = 2', session: 'kept' });
  await first.stop();
  const { url } = await startServer(t, { folder: first.folder, args: ['--retain-days', '0.000001'] });
  const heap = async (key: string) => (await fetch(`${url}/api/heaps/${key}`)).status;
  while ((await heap(old.heap)) !== 404);
  assert.equal(await heap(tagged.heap), 200);
  assert.deepEqual(await json(await fetch(`${url}/api/executions/${old.execution_id}`)), old);
  const { entries } = await json(await fetch(`${url}/api/sessions/kept/snapshots?fields=output_heap`));
  assert.deepEqual(entries, [{ output_heap: old.heap }]);
  const fresh = await exec(url, { code: 'typeof b', heap: old.heap });
  assert.deepEqual([fresh.result, fresh.heap_restored], ['"undefined"', false]);
});

test('--retain-gb lets the oldest untagged heaps go until the others fit', async (t) => {
  const first = await startServer(t);
  const exec = async (given: object) => {
    const code = 'const bytes = new Uint8Array(400_000).map(() => Math.random() * 256); bytes[7]';
    const body = JSON.stringify({ code, wait_secs: 30, ...given });
    return json(await fetch(`${first.url}/api/exec`, { method: 'POST', body }));
  };
  const [tagged, oldest, older, newest] = [
    await exec({ tags: { keep: 'me' } }),
    await exec({}),
    await exec({}),
    await exec({}),
  ];
  const { stored_bytes: bytes } = await json(await fetch(`${first.url}/api/heaps/${newest.heap}`));
  await first.stop();
  // The tagged one, which is the oldest of all, and two others.
  const room = ['--retain-gb', `${(bytes * 3.5) / 2 ** 30}`];
  const { url } = await startServer(t, { folder: first.folder, args: room });
  const status = async ({ heap }: { heap: string }) => (await fetch(`${url}/api/heaps/${heap}`)).status;
  while ((await status(oldest)) !== 404);
  assert.deepEqual([await status(tagged), await status(older), await status(newest)], [200, 200, 200]);
  const body = JSON.stringify({ code: 'bytes[7]', heap: older.heap, wait_secs: 30 });
  const { result } = await json(await fetch(`${url}/api/exec`, { method: 'POST', body }));
  assert.equal(result, older.result);
});
