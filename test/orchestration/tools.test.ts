import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { wholeFile } from '../cleanup.ts';
import { toolbox } from '../upstreams/servers/configuration.ts';
import { startCodeServer } from './doors.ts';

const servers = { box: toolbox(), 'my-server': toolbox(), twin_a: toolbox(), 'twin-a': toolbox() };
const { run, value } = await startCodeServer(wholeFile(), { servers });

describe('tools', () => {
  const cases: Readonly<Record<string, unknown>> = {
    'await tools.box.add({ a: 1, b: 2 })': { sum: 3 },
    'tools.box.add({ a: 1, b: 2 }) instanceof Promise': true,
    'tools.box.empty()': [],
    "tools['box']['kebab-case.name']()": 'kebab',
    'tools.box.kebabCaseName()': 'kebab',
    'tools.box.jsonText({ value: 5 })': 5,
    'tools.myServer.add({ a: 1, b: 1 })': { sum: 2 },
    "tools['my-server'].add({ a: 1, b: 1 })": { sum: 2 },
    'Object.keys(tools)': Object.keys(servers),
    "Object.keys(tools.box).includes('add')": true,
    "['box' in tools, 'nope' in tools, 'add' in tools.box, 'nope' in tools.box]": [true, false, true, false],
    'typeof (await tools) + typeof (await tools.box)': 'objectobject',
    'tools.box.add.name': 'add',
    'tools.box.add === tools.box.add': true,
    '`${Object.prototype.toString.call(tools)}`': '[object Object]',
    'const { box: { add } } = tools; (await add({ a: 3, b: 4 })).sum': 7,
    '(await Promise.all([1, 2, 3].map((a) => tools.box.add({ a, b: a })))).map(({ sum }) => sum)': [2, 4, 6],
  };
  for (const [code, expected] of Object.entries(cases)) {
    test(code, async () => assert.deepEqual(await value(code), expected));
  }

  const errors: Readonly<Record<string, string>> = {
    "tools.box.fail({ message: 'no' })": 'UPSTREAM_ERROR',
    'tools.box.nothing({})': 'TOOL_NOT_FOUND',
    'tools.nowhere.add({})': 'SERVER_NOT_FOUND',
    'tools.twinA.add({})': 'SERVER_NOT_FOUND',
    "tools.box.add('text')": 'INVALID_ARGS',
  };
  for (const [code, expected] of Object.entries(errors)) {
    test(`${code} throws a typed error that can be caught`, async () => {
      const caught = await value(
        `try { await ${code}; 'none' } catch (e) { [e instanceof Error, e.name, e.code, typeof e.message] }`,
      );
      assert.deepEqual(caught, [true, 'ToolError', expected, 'string']);
    });
  }

  test('one that nobody catches ends the run', async () => {
    const { error, calls_made } = await run({ code: "await tools.box.fail({ message: 'no luck' })" });
    assert.deepEqual([error?.code, error?.message, calls_made], ['RUNTIME_ERROR', 'ToolError: no luck', 1]);
  });

  test('thousands of calls at once all come back', async () => {
    const code = `const sums = await Promise.all(Array.from({ length: 3000 }, (_, a) => tools.box.add({ a, b: 1 })));
      [sums.length, sums.every(({ sum }, a) => sum === a + 1)]`;
    assert.deepEqual(await value(code), [3000, true]);
  });

  test('calls run in parallel', async () => {
    const code = `await Promise.all(Array.from({ length: 40 }, () => tools.box.slow({ ms: 300 })));
      (await tools.box.count_calls({})).most_running`;
    assert.equal(await value(code), 40);
  });

  test('the arguments are those of the moment of the call', async () => {
    const code = `const args = { a: 1, b: 1 }; const first = tools.box.add(args); args.a = 100; (await first).sum`;
    assert.equal(await value(code), 2);
  });
});

describe('call_tools', () => {
  test('gives results in order, and each error in its place', async () => {
    const code = `call_tools([
      { server: 'box', tool: 'slow', args: { ms: 100 } },
      { server: 'box', tool: 'add', args: { a: 1, b: 2 } },
      { server: 'box', tool: 'fail', args: { message: 'no' } },
      { server: 'nowhere', tool: 'x', args: {} },
      { server: 'box', tool: 'add' },
    ]).map((r) => r.ok ? r.result : r.error.code)`;
    const expected = [{ waited: 100 }, { sum: 3 }, 'UPSTREAM_ERROR', 'SERVER_NOT_FOUND', 'INVALID_ARGS'];
    assert.deepEqual(await value(code), expected);
  });

  test('runs as many at once as max_parallel says', async () => {
    const most = async (options: string) => {
      const own = await startCodeServer({ after: (action) => ends.push(action) }, { servers: { box: toolbox() } });
      const calls = `Array.from({ length: 12 }, () => ({ server: 'box', tool: 'slow', args: { ms: 60 } }))`;
      const code = `call_tools(${calls}${options}); call_tool('box', 'count_calls', {}).result.most_running`;
      return own.value(code);
    };
    const ends: (() => unknown)[] = [];
    try {
      assert.deepEqual(await Promise.all([most(', { max_parallel: 3 }'), most('')]), [3, 10]);
    } finally {
      for (const end of ends.reverse()) await end();
    }
  });

  test('that returns more than fits is an error for what does not fit', async () => {
    const code = `const big = { server: 'box', tool: 'big', args: { bytes: 10e6 } };
      call_tools(Array(10).fill(big), { max_parallel: 2 }).map(({ ok, error }) => ok || error.code)`;
    const refused = Array(6).fill('UPSTREAM_ERROR');
    assert.deepEqual(await value(code), [true, true, true, true, ...refused]);
  });

  test('await works as well, and none is no call', async () => {
    assert.deepEqual(await value('await call_tools([])'), []);
  });

  for (const given of [
    '',
    "'text'",
    '{}',
    '[1]',
    '[], { max_parallel: 0 }',
    '[], { max_parallel: 101 }',
    '[], { other: 1 }',
  ]) {
    test(`call_tools(${given}) throws INVALID_ARGS`, async () => {
      assert.equal(await value(`try { call_tools(${given}) } catch (e) { e.code }`), 'INVALID_ARGS');
    });
  }

  test('has the budget of all calls together, and makes none of a batch that does not fit', async () => {
    const code = `call_tool('box', 'add', { a: 1, b: 1 });
      const batch = [1, 2, 3].map((a) => ({ server: 'box', tool: 'add', args: { a, b: 0 } }));
      let caught; try { call_tools(batch) } catch (e) { caught = e.code }
      [caught, call_tools(batch.slice(1)).length]`;
    assert.deepEqual(await value(code, { options: { max_tool_calls: 3 } }), ['MAX_TOOL_CALLS_EXCEEDED', 2]);
  });
});

test('search_tools and describe_tool are there', async () => {
  const found = await value("search_tools('adds numbers', { limit: 1 }).map(({ tool }) => tool)");
  assert.deepEqual(found, ['add']);
  assert.match(String(await value("describe_tool('box', 'add')")), /a: number/);
});
