import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { wholeFile } from '../cleanup.ts';
import { doors, startCodeServer } from './doors.ts';
import { absent, examples, expressions } from './examples.ts';

const code = await startCodeServer(wholeFile());

for (const [door, run] of Object.entries(doors(code))) {
  describe(`the document's examples, through ${door}`, () => {
    for (const [name, { request, answer }] of Object.entries(examples)) {
      test(name, async () => assert.deepEqual(await run(request), answer));
    }

    test('values, and the standard library', async () => {
      const entries = Object.entries(expressions);
      if (door === 'CLI') entries.splice(0, entries.length, ...entries.filter((_, index) => index % 8 === 0)); // a process each
      for (const [source, value] of entries) assert.deepEqual(await run({ code: source }), { ok: true, value }, source);
    });

    test('what is not there', async () => {
      const source = `[${absent.map((name) => `typeof ${name}`).join()}].filter((type) => type !== 'undefined')`;
      assert.deepEqual(await run({ code: source }), { ok: true, value: [] });
      const { error } = await run({ code: "await import('fs')" });
      assert.match(error?.message ?? '', /^TypeError: import\(\) is not supported/);
    });
  });
}

test('of the globals only those of the language and the documented ones are there', async () => {
  const own = await code.value(
    'Object.getOwnPropertyNames(globalThis).filter((name) => /^[a-z]/.test(name) && !/^(parse|is|decode|encode|(un)?escape)/.test(name)).sort()',
  );
  const language = ['eval', 'globalThis', 'undefined'];
  const given = ['call_tool', 'call_tools', 'console', 'describe_tool', 'input', 'search_tools', 'tools'];
  assert.deepEqual(own, [...given, ...language].sort());
});

test('the tool is listed with the parameters of the document', async () => {
  const { tools } = await code.client.listTools();
  const tool = tools.find(({ name }) => name === 'code_execution');
  assert.ok(tool);
  const { properties = {}, required } = tool.inputSchema;
  assert.deepEqual(required, ['code']);
  assert.deepEqual(Object.keys(properties), ['code', 'language', 'input', 'options']);
  assert.partialDeepStrictEqual(properties, {
    code: { type: 'string' },
    language: { type: 'string', enum: ['javascript', 'typescript'], default: 'javascript' },
    input: { type: 'object', default: {} },
    options: {
      type: 'object',
      properties: {
        timeout_ms: { type: 'number', minimum: 1, maximum: 600_000 },
        max_tool_calls: { type: 'number', minimum: 0 },
        allowed_servers: { type: 'array', items: { type: 'string' } },
      },
    },
  });
});
