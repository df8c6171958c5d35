import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wholeFile } from '../cleanup.ts';
import { call, httpClient, json, startServer } from '../server/running.ts';
import { toolbox } from '../upstreams/servers/configuration.ts';
import { startCodeServer } from './doors.ts';

const cleanup = wholeFile();
const servers = { box: toolbox() };
const settings = { CAY_RUN_JS_TOOLS: 'true', CAY_ENABLE_CODE_EXECUTION: 'false' };
const { client, server } = await startCodeServer(cleanup, { servers, settings });

async function runJs(code: string, more: object = {}): Promise<Record<string, string | null>> {
  const answer = Object(await call(client, 'run_js', { code, wait_secs: 30, ...more }));
  if (answer.status !== 'completed') throw new Error(answer.error);
  return answer;
}

test('tools, search_tools and describe_tool are there, and state, tools and data meet', async () => {
  const first = await runJs('const sums = []; sums.push((await tools.box.add({ a: 1, b: 2 })).sum); sums');
  const second = await runJs('sums.push((await tools.box.add({ a: sums[0], b: 10 })).sum); sums', { heap: first.heap });
  assert.deepEqual([first.result, second.result], ['[3]', '[3,13]']);
  const found = await runJs(
    "[search_tools('adds numbers', { limit: 1 })[0].tool, describe_tool('box', 'add').length > 20]",
  );
  assert.equal(found.result, '["add",true]');
});

test('timers and the other globals are still there, call_tool is not', async () => {
  const { result } = await runJs('[typeof setTimeout, typeof URL, typeof call_tool, typeof call_tools, typeof fetch]');
  assert.equal(result, '["function","function","undefined","undefined","undefined"]');
});

test('the description of run_js says so', async () => {
  const { tools } = await client.listTools();
  const described = tools.find(({ name }) => name === 'run_js')?.description ?? '';
  assert.match(described, /await tools\.<server>\.<tool>\(args\)/);
});

test('calls are kept with the execution', async () => {
  const { execution_id } = await runJs(
    "await tools.box.add({ a: 5, b: 6 }); tools.box.fail({ message: 'no' }).catch(() => 0)",
  );
  const { calls } = await json(await fetch(`${server.url}/api/executions/${execution_id}/calls`));
  assert.deepEqual(
    calls.map((one: { tool: string; outcome: string }) => [one.tool, one.outcome]),
    [
      ['add', 'ok'],
      ['fail', 'error'],
    ],
  );
});

test('a promise of a call that was kept in a heap is settled, and the tools work again after it', async () => {
  const first = await runJs('const box = tools.box; const kept = box.add({ a: 1, b: 1 }); await kept; 1');
  const second = await runJs('[(await kept).sum, (await box.add({ a: 2, b: 2 })).sum]', { heap: first.heap });
  assert.equal(second.result, '[2,4]');
});

test('a variable of the code that is called tools stays the code’s', async () => {
  const first = await runJs("var tools = ['hammer']; tools.length");
  assert.equal((await runJs('tools', { heap: first.heap })).result, '["hammer"]');
});

test('a heap that has used tools goes on where they are switched off, without them', async () => {
  const { heap } = await runJs('const box = tools.box; await box.add({ a: 1, b: 1 })');
  await server.stop();
  const plain = await startServer(cleanup, { folder: server.folder });
  const other = await httpClient(cleanup, plain.url);
  const run = (code: string) => call(other, 'run_js', { code, heap, wait_secs: 30 });
  assert.equal(
    (await run('[typeof tools, typeof search_tools, typeof box]')).result,
    '["undefined","undefined","object"]',
  );
  const { result } = await run('try { await box.add({ a: 1, b: 1 }) } catch (e) { e.message }');
  assert.equal(result, '"tools is not available in this run"');
});
