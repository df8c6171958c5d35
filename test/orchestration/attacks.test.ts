import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CallLog } from '../../src/executions/call-log.ts';
import { declareTool } from '../../src/orchestration/declarations/declaration.ts';
import { signature } from '../../src/orchestration/declarations/signature.ts';
import { ToolCalls } from '../../src/orchestration/tool-calls.ts';
import { toolFunctions } from '../../src/orchestration/tool-functions.ts';
import type { CallRecord } from '../../src/store/calls.ts';
import { wholeFile } from '../cleanup.ts';
import { call, httpClient, json, startServer } from '../server/running.ts';
import { open } from '../upstreams/opened.ts';
import { toolbox } from '../upstreams/servers/configuration.ts';
import { startCodeServer } from './doors.ts';

const file = wholeFile();
const { run, value } = await startCodeServer(file, { servers: { box: toolbox() } });

describe('what the server holds for a run is bounded', () => {
  test('arguments of calls that are pending together', async () => {
    const source = `const x = 'x'.repeat(12e6);
      const calls = Array.from({ length: 6 }, () => tools.box.never({ x }).catch(String));
      throw new Error(await Promise.race(calls))`;
    const { error, calls_made } = await run({ code: source });
    assert.equal(error?.message, 'Error: RangeError: The arguments of the pending calls are too large together');
    assert.equal(calls_made, 5);
  });

  test('one call of the largest size passes, and so do many after each other', async () => {
    const source = `const x = 'x'.repeat(16e6); const codes = [];
      for (let i = 0; i < 6; i++) codes.push(call_tool('nowhere', 'x', { x }).error.code); codes`;
    assert.deepEqual(await value(source), Array(6).fill('SERVER_NOT_FOUND'));
  });

  test('the calls of a batch', async () => {
    const batch = (size: string) => `call_tools(Array(${size}).fill({ server: 'box', tool: 'add', args: {} })).length`;
    const { error, calls_made } = await run({ code: batch('10_001') });
    assert.deepEqual(
      [error?.message, calls_made],
      ['ToolError: call_tools: expected at most 10000 calls at once, got 10001', 0],
    );
    const nowhere = "call_tools(Array(10_000).fill({ server: 'nowhere', tool: 'x', args: {} })).length";
    assert.equal(await value(nowhere), 10_000);
  });
});

describe('the server does not think for long about what code sends', () => {
  async function quick<T>(work: () => T): Promise<T> {
    const began = performance.now();
    const result = await work();
    assert.ok(performance.now() - began < 5000);
    return result;
  }

  test('a batch of millions that are no calls', async () => {
    const { error } = await quick(() => run({ code: 'call_tools(Array(7e6).fill(0))' }));
    assert.equal(error?.message, 'ToolError: call_tools: expected an array of {server, tool, args}');
  });

  test('a query of a million words', async () => {
    const source = "search_tools(Array.from({ length: 1e6 }, (_, i) => 'w' + i).join(' '))";
    const { error } = await quick(() => run({ code: source }));
    assert.equal(error?.message, 'ToolError: Expected the query to be a string of at most 1000 characters');
  });

  const reference = (name: string) => ({ $ref: `#/$defs/${name}` });
  const nested = (depth: number): object =>
    depth === 0 ? { type: 'string' } : { type: Array(300).fill('array'), items: nested(depth - 1) };
  const web = Array.from({ length: 5000 }, (_, i): [string, object] => [
    `r${i}`,
    { anyOf: Array.from({ length: 50 }, (__, k) => reference(`r${(i * 7 + k) % 5000}`)) },
  ]);
  const schemas: Readonly<Record<string, Record<string, unknown>>> = {
    'one kind many times, deep': { type: 'object', properties: { a: nested(20) } },
    'a definition that is itself, many times': {
      type: 'object',
      properties: { a: reference('x') },
      $defs: { x: { anyOf: Array(20_000).fill(reference('x')) } },
    },
    'a web of definitions': {
      type: 'object',
      anyOf: Array.from({ length: 20_000 }, (_, i) => reference(`r${i % 5000}`)),
      $defs: Object.fromEntries(web),
    },
  };
  for (const [name, inputSchema] of Object.entries(schemas)) {
    test(`nor about a schema: ${name}`, async () => {
      const about = { server: 'box', name: 'go', title: null, description: '', outputSchema: null, annotations: null };
      const text = await quick(() => declareTool({ ...about, inputSchema }) + signature(inputSchema));
      assert.ok(text.length < 40_000);
    });
  }
});

test('a list where the name of a server belongs does not show the tools of one that is not allowed', async (t) => {
  const { upstreams } = open(t, { box: toolbox(), other: toolbox() });
  const record = { begin: () => () => {} };
  const calls = new ToolCalls({ upstreams, record, maxCalls: 0, allowed: new Set(['other']) });
  const { tools } = toolFunctions(calls);
  await assert.rejects(async () => tools?.call(['tools', ['box']], t.signal), { code: 'INVALID_ARGS' });
  await assert.rejects(async () => tools?.call(['tools', 'box'], t.signal), { code: 'SERVER_NOT_ALLOWED' });
});

describe('nothing that happened hides behind much that did not', () => {
  test('refused requests of fetch', async () => {
    const env = { CAY_FETCH: JSON.stringify({ allow: [{ host: 'http://localhost:1' }] }) };
    const server = await startServer(file, { env });
    const client = await httpClient(file, server.url);
    const code = `for (let i = 0; i < 300; i++) await fetch('http://example.com/' + i).catch(() => 0);
      await fetch('http://localhost:1/').catch(() => 0); 1`;
    const { execution_id } = await call(client, 'run_js', { code, wait_secs: 30 });
    const { calls } = await json(await fetch(`${server.url}/api/executions/${execution_id}/calls?limit=1000`));
    assert.deepEqual([calls.length, calls.at(-1).outcome], [101, 'error']);
  });

  test('large calls: of later ones the beginning is kept', async () => {
    const records = new Map<number, CallRecord>();
    const store = {
      put: async (_: string, given: readonly CallRecord[]) => {
        for (const record of given) records.set(record.index, record);
      },
    };
    const log = new CallLog('id', store);
    const large = JSON.stringify('x'.repeat(2 ** 16));
    for (let i = 0; i < 1100; i++) log.begin({ server: 'box', tool: 'echo', arguments: large })({ outcome: 'ok' });
    const sent = '{"to":"elsewhere"}';
    log.begin({ server: 'box', tool: 'send', arguments: sent })({ outcome: 'ok', result: large });
    await log.drain();
    const last = records.get(1100);
    assert.deepEqual(last?.arguments, { text: sent, bytes: sent.length });
    assert.deepEqual([last?.result?.text.length, last?.result?.bytes], [256, large.length]);
  });
});
