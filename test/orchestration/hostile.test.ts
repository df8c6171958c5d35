import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { wholeFile } from '../cleanup.ts';
import { json } from '../server/running.ts';
import { toolbox } from '../upstreams/servers/configuration.ts';
import { startCodeServer } from './doors.ts';

const secret = 'sk-very-secret-value-123456';
const servers = { box: { ...toolbox(), env: { TOKEN: secret } }, other: toolbox() };
const { run, value, server } = await startCodeServer(wholeFile(), { servers });

async function callsOf(name: 'box' | 'other', tool: string): Promise<number> {
  return Object(await value(`call_tool('${name}', 'count_calls', { tool: '${tool}' }).result`)).calls;
}

const tryAll = `
  const made = []; const add = { a: 1, b: 1 };
  const attempt = (what) => { try { const r = what(); if (r?.ok) made.push(r) } catch {} };
  const later = async (what) => { try { made.push(await what()) } catch {} };`;

describe('no trick gets past a budget of 1', () => {
  const tricks: Readonly<Record<string, string>> = {
    'a copy of the function':
      "const f = call_tool; attempt(() => f('box', 'add', add)); attempt(() => f.call(null, 'box', 'add', add))",
    'a function of its own in its place':
      "const real = call_tool; globalThis.call_tool = (...a) => real(...a); attempt(() => call_tool('box', 'add', add)); delete globalThis.call_tool; attempt(() => real('box', 'add', add))",
    'overwritten builtins':
      "Array.prototype.push = JSON.stringify = JSON.parse = Map.prototype.get = () => 0; Object.prototype.max = 99; attempt(() => call_tool('box', 'add', add))",
    'a changed prototype':
      "Object.prototype.max_tool_calls = 0; Object.prototype.ok = true; Array.prototype.length = 0; attempt(() => call_tool('box', 'add', add))",
    toJSON:
      "Object.prototype.toJSON = () => ({}); String.prototype.toJSON = () => 'x'; attempt(() => call_tool('box', 'add', add)); delete Object.prototype.toJSON; attempt(() => call_tool('box', 'add', add))",
    'recursion in arguments':
      "attempt(() => call_tool('box', 'add', { get a() { attempt(() => call_tool('box', 'add', add)); return 1 }, b: 1 }))",
    'all ways at once':
      "attempt(() => call_tool('box', 'add', add)); attempt(() => call_tools([{ server: 'box', tool: 'add', args: add }])[0]); await Promise.all([later(() => tools.box.add(add)), later(() => tools['box']['add'](add))])",
    'thousands in parallel': 'await Promise.all(Array.from({ length: 2000 }, () => later(() => tools.box.add(add))))',
    'a batch':
      "attempt(() => call_tools(Array.from({ length: 500 }, () => ({ server: 'box', tool: 'add', args: add })))[0])",
    'eval and Function': `attempt(() => eval("call_tool('box', 'add', add)")); attempt(() => new Function("return call_tool('box', 'add', { a: 1, b: 1 })")())`,
    'an error that was caught before':
      "let e; attempt(() => { try { call_tool('box', 'add', add); call_tool('box', 'add', add) } catch (x) { e = x; throw x } }); e.code = undefined; attempt(() => call_tool('box', 'add', add))",
  };
  for (const [name, source] of Object.entries(tricks)) {
    test(name, async () => {
      const before = await callsOf('box', 'add');
      await run({ code: `${tryAll} call_tool('other', 'add', add); ${source}; 1`, options: { max_tool_calls: 1 } });
      assert.equal((await callsOf('box', 'add')) - before, 0);
    });
  }
});

describe('no trick gets past an allow-list', () => {
  const tricks: Readonly<Record<string, string>> = {
    'a name that changes between check and use':
      "let n = 0; const name = { toString: () => n++ ? 'box' : 'other', toJSON: () => n++ ? 'box' : 'other' }; attempt(() => call_tool(name, 'add', add)); attempt(() => call_tool(name, 'add', add))",
    'a Proxy as arguments':
      "attempt(() => call_tool('other', 'add', new Proxy(add, { get: (t, k) => k === 'server' ? 'box' : t[k] }))); attempt(() => call_tool(new Proxy(['other'], { get: (t, k) => k === 'toJSON' ? () => 'box' : t[k] }), 'add', add))",
    'a String object': "attempt(() => call_tool(new String('box'), 'add', add))",
    'a list of arguments that was made longer': "attempt(() => call_tool('other', 'add', add, { server: 'box' }))",
    'toJSON on the list of arguments':
      "Array.prototype.toJSON = () => ['box', 'add', { a: 1, b: 1 }]; attempt(() => call_tool('other', 'add', add)); delete Array.prototype.toJSON",
    'a camelCase alias': 'await later(() => tools.box.add(add)); await later(() => tools.Box.add(add))',
    'an overwritten resolution':
      "Map.prototype.get = () => 'box'; Set.prototype.has = () => true; await later(() => tools.box.add(add))",
    'names with odd characters':
      "for (const s of ['box\\0', ' box', 'ｂox', '../box', 'other/box', '__proto__', 'constructor']) { attempt(() => call_tool(s, 'add', add)); await later(() => tools[s].add(add)) }",
    'a batch with one that is allowed':
      "attempt(() => call_tools([{ server: 'other', tool: 'add', args: add }, { server: 'box', tool: 'add', args: add }])[1])",
  };
  for (const [name, source] of Object.entries(tricks)) {
    test(name, async () => {
      const before = await callsOf('box', 'add');
      await run({ code: `${tryAll} ${source}; 1`, options: { allowed_servers: ['other'] } });
      assert.equal((await callsOf('box', 'add')) - before, 0);
    });
  }
});

test('getters in arguments are read once: what was checked is what leaves', async () => {
  const source = `let reads = 0;
    const result = call_tool('box', 'echo', { get n() { return ++reads } }).result;
    [result.n, reads]`;
  assert.deepEqual(await value(source), [1, 1]);
});

test('a run cannot see the calls, the globals or the errors of another', async () => {
  await value("globalThis.left = 'behind'; Object.prototype.polluted = 1; call_tool('box', 'add', { a: 1, b: 1 }); 1");
  assert.deepEqual(await value('[typeof left, typeof ({}).polluted, Object.keys(globalThis)]'), [
    'undefined',
    'undefined',
    ['input'],
  ]);
});

test('functions that the run was not given are not there by any name', async () => {
  const source = `const names = Object.getOwnPropertyNames(globalThis);
    [typeof fetch, typeof artifact, names.filter((name) => /native|host|callSync|callAsync/i.test(name)).length]`;
  assert.deepEqual(await value(source), ['undefined', 'undefined', 0]);
});

test('the secrets of an upstream are nowhere in what the code can reach', async () => {
  const source = `const seen = JSON.stringify([
      search_tools('', { limit: 50 }), describe_tool('box', 'env'), call_tool('box', 'env', { name: 'TOKEN' }),
      call_tool('box', 'fail', { message: 'x' }), call_tool('box', 'nothing', {}), call_tool('nowhere', 'x', {}),
    ]);
    try { await tools.box.throws({ message: 'y' }) } catch (e) { console.log(e.stack) }
    seen`;
  const answer = await run({ code: source, options: { include_logs: true } });
  assert.ok(!JSON.stringify(answer).includes(secret));
  const { executions } = await json(await fetch(`${server.url}/api/executions`));
  const kept = await (await fetch(`${server.url}/api/executions/${executions[0].execution_id}/calls`)).text();
  assert.ok(!kept.includes(secret));
  assert.ok(!server.log().includes(secret));
});

test('refusals without end neither end the server nor fill the record', async () => {
  const source = "for (;;) try { call_tool('box', 'add', {}) } catch {}";
  const { error } = await run({ code: source, options: { max_tool_calls: 1, timeout_ms: 700 } });
  assert.equal(error?.code, 'TIMEOUT');
  const { executions } = await json(await fetch(`${server.url}/api/executions`));
  const url = `${server.url}/api/executions/${executions[0].execution_id}/calls?limit=1000`;
  const { calls } = await json(await fetch(url));
  assert.equal(calls.length, 101);
});

test('huge names and arguments are an error, and the server goes on', async () => {
  assert.equal(Object(await value("call_tool('x'.repeat(1e6), 'y'.repeat(1e6), {}).error")).code, 'SERVER_NOT_FOUND');
  const { error } = await run({ code: "call_tool('box', 'echo', { x: 'x'.repeat(20e6) })" });
  assert.deepEqual(
    [error?.code, error?.message],
    ['RUNTIME_ERROR', 'RangeError: The arguments of the call are too large'],
  );
  assert.equal(await value('1'), 1);
});
