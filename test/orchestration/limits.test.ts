import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { maxCallRecords } from '../../src/store/calls.ts';
import { wholeFile } from '../cleanup.ts';
import { json } from '../server/running.ts';
import { toolbox } from '../upstreams/servers/configuration.ts';
import { post, startCodeServer } from './doors.ts';

const cleanup = wholeFile();
const servers = { box: toolbox(), other: toolbox() };
const code = await startCodeServer(cleanup, { servers });
const { run, value } = code;
const add = "call_tool('box', 'add', { a: 1, b: 1 })";

describe('a budget', () => {
  const options = { max_tool_calls: 2 };

  test('that is caught lets the run succeed, and nothing more leaves', async () => {
    const before = Object(await value("call_tool('box', 'count_calls', { tool: 'add' }).result")).calls;
    const source = `${add}; ${add}; const caught = [];
      for (let i = 0; i < 3; i++) try { ${add} } catch (e) { caught.push([e instanceof Error, e.name, e.code, e.message]) }
      caught`;
    const refusal = [true, 'ToolError', 'MAX_TOOL_CALLS_EXCEEDED', 'Exceeded maximum tool calls limit (2)'];
    assert.deepEqual(await value(source, { options }), [refusal, refusal, refusal]);
    const after = Object(await value("call_tool('box', 'count_calls', { tool: 'add' }).result")).calls;
    assert.equal(after - before, 2);
  });

  test('that is not caught ends the run, and says how many calls were made', async () => {
    const { error, calls_made, logs } = await run({ code: `for (;;) { ${add}; console.log('one') }`, options });
    const message = 'Exceeded maximum tool calls limit (2)';
    assert.deepEqual(error, { code: 'MAX_TOOL_CALLS_EXCEEDED', message, stack: '' });
    assert.deepEqual([calls_made, logs], [2, 'one\none\n']);
  });

  for (const [how, source] of Object.entries({
    tools: 'for (;;) await tools.box.add({ a: 1, b: 1 })',
    'tools, all at once': 'await Promise.all([1, 2, 3].map((a) => tools.box.add({ a, b: 1 })))',
    call_tools: "call_tools([1, 2, 3].map((a) => ({ server: 'box', tool: 'add', args: { a, b: 1 } })))",
    'a promise': `await Promise.resolve().then(() => { for (;;) ${add} })`,
  })) {
    test(`ends a run that goes past it by ${how}`, async () => {
      const { error, calls_made } = await run({ code: source, options });
      assert.deepEqual([error?.code, calls_made], ['MAX_TOOL_CALLS_EXCEEDED', how === 'call_tools' ? 0 : 2]);
    });
  }

  test('counts calls that are answered with an error too', async () => {
    const source = "call_tool('nowhere', 'x', {}); call_tool('box', 'nothing', {}); call_tool('box', 'add', {})";
    assert.equal((await run({ code: source, options })).error?.code, 'MAX_TOOL_CALLS_EXCEEDED');
  });

  test('that is wrapped in an error of its own is a RUNTIME_ERROR', async () => {
    const source = `try { for (;;) ${add} } catch (e) { throw new Error('wrapped: ' + e.message) }`;
    const { error } = await run({ code: source, options });
    assert.equal(error?.message, 'Error: wrapped: Exceeded maximum tool calls limit (2)');
    assert.equal(error?.code, 'RUNTIME_ERROR');
  });

  test('of 0 is none', async () => {
    const source = `let n = 0; for (let i = 0; i < 50; i++) if (${add}.ok) n++; n`;
    assert.equal(await value(source, { options: { max_tool_calls: 0 } }), 50);
  });

  test('that is none ends where the record would be full, and the refusal is in it', async () => {
    const source = `const batch = Array.from({ length: input.batch }, () => ({ server: 'nowhere', tool: 'x', args: {} }));
      for (let i = 0; i < 10; i++) call_tools(batch);
      call_tool('nowhere', 'x', {})`;
    const options = { max_tool_calls: 0, timeout_ms: 60_000 };
    const most = maxCallRecords - 100; // of refusals
    const { error, calls_made } = await run({ code: source, input: { batch: most / 10 }, options });
    const message = `Exceeded maximum tool calls limit (${most})`;
    assert.deepEqual([error, calls_made], [{ code: 'MAX_TOOL_CALLS_EXCEEDED', message, stack: '' }, most]);
    const { executions } = await json(await fetch(`${code.server.url}/api/executions?limit=1`));
    const path = `${code.server.url}/api/executions/${executions[0].execution_id}/calls?after=${most - 2}`;
    const { calls } = await json(await fetch(path));
    const last = calls.map((each: { index: number; outcome: string }) => [each.index, each.outcome]);
    assert.deepEqual(last, [
      [most - 1, 'error'],
      [most, 'refused'],
    ]);
  });

  test('goes before the allow-list', async () => {
    const both = { max_tool_calls: 1, allowed_servers: ['other'] };
    const { error } = await run({ code: `try { ${add} } catch {} ${add}`, options: both });
    assert.equal(error?.code, 'MAX_TOOL_CALLS_EXCEEDED');
  });
});

describe('an allow-list', () => {
  const message = "Server 'box' is not in the allowed servers list";

  test('throws, and what is thrown can be caught', async () => {
    const source = `try { ${add} } catch (e) { [e.code, e.message, call_tool('other', 'add', { a: 1, b: 1 }).ok] }`;
    const options = { allowed_servers: ['other'] };
    assert.deepEqual(await value(source, { options }), ['SERVER_NOT_ALLOWED', message, true]);
  });

  test('with a name that there is not refuses all others, and that one is not found', async () => {
    const options = { allowed_servers: ['nowhere'] };
    assert.equal((await run({ code: add, options })).error?.code, 'SERVER_NOT_ALLOWED');
    assert.equal(await value("call_tool('nowhere', 'x', {}).error.code", { options }), 'SERVER_NOT_FOUND');
  });

  test('that is empty allows all', async () => {
    assert.deepEqual(await value(`${add}.ok`, { options: { allowed_servers: [] } }), true);
  });

  for (const [how, source] of Object.entries({
    tools: 'await tools.box.add({ a: 1, b: 1 })',
    'a computed name': "await tools['b' + 'ox'].add({ a: 1, b: 1 })",
    call_tools: "call_tools([{ server: 'other', tool: 'add', args: {} }, { server: 'box', tool: 'add', args: {} }])",
  })) {
    test(`holds for ${how}`, async () => {
      const { error } = await run({ code: source, options: { allowed_servers: ['other'] } });
      assert.deepEqual(error, { code: 'SERVER_NOT_ALLOWED', message, stack: '' });
    });
  }

  test('holds for what can be found and described', async () => {
    const options = { allowed_servers: ['other'] };
    const found = await value("[...new Set(search_tools('').map(({ server }) => server))]", { options });
    assert.deepEqual([found, await value('Object.keys(tools)', { options })], [['other'], ['other']]);
    assert.equal((await run({ code: "describe_tool('box', 'add')", options })).error?.code, 'SERVER_NOT_ALLOWED');
    assert.equal((await run({ code: 'Object.keys(tools.box)', options })).error?.code, 'SERVER_NOT_ALLOWED');
  });

  test('is for the exact name', async () => {
    const options = { allowed_servers: ['BOX', 'box '] };
    assert.equal((await run({ code: add, options })).error?.code, 'SERVER_NOT_ALLOWED');
  });
});

describe('refused before anything runs, with the name, what was expected and what came', () => {
  const cases: readonly [request: object, text: string][] = [
    [{}, 'code: expected a string, got nothing'],
    [{ code: 5 }, 'code: expected a string, got 5'],
    [{ code: '1', language: 'python' }, 'language: expected one of "javascript", "typescript", got "python"'],
    [{ code: '1', input: [1] }, 'input: expected an object, got [1]'],
    [{ code: '1', input: 'x' }, 'input: expected an object, got "x"'],
    [{ code: '1', options: 5 }, 'options: expected an object, got 5'],
    [{ code: '1', options: { timeout_ms: 0 } }, 'options.timeout_ms: expected a number from 1 to 600000, got 0'],
    [
      { code: '1', options: { timeout_ms: 600_001 } },
      'options.timeout_ms: expected a number from 1 to 600000, got 600001',
    ],
    [{ code: '1', options: { timeout_ms: '5' } }, 'options.timeout_ms: expected a number from 1 to 600000, got "5"'],
    [{ code: '1', options: { max_tool_calls: -1 } }, 'options.max_tool_calls: expected a number of at least 0, got -1'],
    [{ code: '1', options: { max_tool_calls: 0.5 } }, 'options.max_tool_calls: expected a whole number, got 0.5'],
    [{ code: '1', options: { allowed_servers: 'box' } }, 'options.allowed_servers: expected an array, got "box"'],
    [{ code: '1', options: { allowed_servers: [1] } }, 'options.allowed_servers.0: expected a string, got 1'],
    [{ code: '1', options: { timeout: 5 } }, 'options.timeout: unknown, did you mean "timeout_ms"?'],
    [{ code: '1', langauge: 'x' }, 'langauge: unknown, did you mean "language"?'],
  ];
  for (const [request, text] of cases) {
    test(text, async () => {
      assert.equal(await code.refused(request), text);
      const response = await post(code.server, request);
      assert.deepEqual(
        [response.status, await json(response)],
        [400, { error: { code: 'invalid_argument', message: text } }],
      );
    });
  }
});

describe('the ranges of the document', () => {
  test('the shortest and the longest time-out are taken', async () => {
    assert.equal((await run({ code: 'for (;;);', options: { timeout_ms: 1 } })).error?.code, 'TIMEOUT');
    assert.equal(await value('1', { options: { timeout_ms: 600_000 } }), 1);
  });
});

describe('the configuration', () => {
  const settings = { CAY_CODE_EXECUTION_TIMEOUT_MS: '400', CAY_CODE_EXECUTION_MAX_TOOL_CALLS: '1' };

  test('gives the time-out and the budget, and the request wins over it', async () => {
    const own = await startCodeServer(cleanup, { servers, settings });
    const began = performance.now();
    assert.equal((await own.run({ code: 'for (;;);' })).error?.code, 'TIMEOUT');
    assert.ok(performance.now() - began < 10_000);
    assert.equal((await own.run({ code: `${add}; ${add}` })).error?.message, 'Exceeded maximum tool calls limit (1)');
    const options = { max_tool_calls: 0, timeout_ms: 60_000 };
    assert.equal(await own.value(`${add}; ${add}; call_tool('box', 'slow', { ms: 600 }).ok`, { options }), true);
  });

  test('switches it off, and a call says what switches it on', async () => {
    const off = await startCodeServer(cleanup, { servers, settings: { CAY_ENABLE_CODE_EXECUTION: 'false' } });
    const { tools } = await off.client.listTools();
    assert.deepEqual(
      tools.filter(({ name }) => ['code_execution', 'search_tools', 'describe_tool'].includes(name)),
      [],
    );
    const setting = 'set `enable_code_execution` to true in the configuration';
    assert.equal(await off.refused({ code: '1' }), `code_execution is switched off: ${setting}`);
    const response = await post(off.server, { code: '1' });
    const message = `POST /api/code/exec is switched off: ${setting}`;
    assert.deepEqual([response.status, await json(response)], [403, { error: { code: 'switched_off', message } }]);
  });
});
