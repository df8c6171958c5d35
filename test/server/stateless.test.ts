import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { wholeFile } from '../cleanup.ts';
import { call, httpClient, json, type RunningServer, refused, revisions, startServer, stdioClient } from './running.ts';

const file = wholeFile();
let server: RunningServer;
let client: Client;
before(async () => {
  server = await startServer(file, { args: ['--stateless', '--max-concurrent-executions', '1'] });
  client = await httpClient(file, server.url);
});

for (const revision of revisions) {
  test(`run_js is the only tool, revision ${revision}`, async (t) => {
    for (const one of [
      await httpClient(t, server.url, { revision }),
      await stdioClient(t, { revision, args: ['--stateless'] }),
    ]) {
      const { tools } = await one.listTools();
      assert.deepEqual(
        tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})]),
        [['run_js', ['code', 'input', 'heap_memory_max_mb', 'execution_timeout_secs']]],
      );
      assert.deepEqual(await call(one, 'run_js', { code: 'console.log("é", 1); 2' }), { output: 'é 1\n', result: '2' });
    }
  });
}

test('failure, time-out and lack of memory come with the output before them', async () => {
  const thrown = await call(client, 'run_js', { code: 'console.log("a"); throw new RangeError("no")' });
  assert.equal(thrown.output, 'a\n');
  assert.equal(thrown.result, null);
  assert.match(String(thrown.error), /^RangeError: no\n/);
  const late = await call(client, 'run_js', { code: 'console.log("b"); while (true);', execution_timeout_secs: 1 });
  assert.deepEqual(late, { output: 'b\n', result: null, error: 'Execution timed out' });
  const code = 'console.log("c"); const all = []; for (;;) all.push(new Array(1000).fill(all.length))';
  const error = 'Out of memory: V8 heap limit exceeded. Try increasing heap_memory_max_mb.';
  assert.deepEqual(await call(client, 'run_js', { code, heap_memory_max_mb: 16 }), {
    output: 'c\n',
    result: null,
    error,
  });
});

test('all output is returned, also more than a page', async () => {
  const { output } = await call(client, 'run_js', {
    code: 'for (let i = 0; i < 40000; i++) console.log("x".repeat(99))',
  });
  assert.equal(output, `${'x'.repeat(99)}\n`.repeat(40_000));
});

test('nothing is kept between runs', async () => {
  await call(client, 'run_js', { code: 'globalThis.kept = 1; let alsoKept = 2' });
  const { result } = await call(client, 'run_js', { code: 'typeof kept + typeof alsoKept' });
  assert.equal(result, '"undefinedundefined"');
});

test('what belongs to state is refused, and says so', async () => {
  assert.match(await refused(client, 'run_js', { code: '', heap: 'x' }), /^heap: unknown/);
  assert.match(await refused(client, 'run_js', { code: '', tags: {} }), /^tags: unknown/);
  const message = 'get_execution is switched off: this server is stateless: start it without `stateless`';
  assert.equal(await refused(client, 'get_execution', { execution_id: 'x' }), message);
});

test('a client that cancels its call ends the run', async () => {
  const abort = new AbortController();
  const endless = {
    name: 'run_js',
    arguments: { code: 'console.log("on"); while (true);', execution_timeout_secs: 300 },
  };
  const called = client.callTool(endless, { signal: abort.signal, onprogress: () => abort.abort() });
  await assert.rejects(called);
  // The one slot is free again, long before the time-out.
  assert.equal((await call(client, 'run_js', { code: '1' })).result, '1');
});

test('over REST there is POST /api/exec, and nothing of what is kept', async () => {
  const body = JSON.stringify({ code: 'console.log(1); 2' });
  const response = await fetch(`${server.url}/api/exec`, { method: 'POST', body });
  assert.deepEqual(await json(response), { output: '1\n', result: '2' });
  assert.equal((await fetch(`${server.url}/api/executions`)).status, 404);
});
