import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../../src/config/load.ts';
import { instructions } from '../../src/server/mcp/instructions.ts';
import { listedSchema } from '../../src/server/mcp/listed-schema.ts';
import { toolTable } from '../../src/server/tools.ts';

/** What a model reads of a server with these settings. */
function reading(settings: Readonly<Record<string, unknown>> = {}) {
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  const variables = Object.entries(settings).map(([name, value]) => [`CAY_${name.toUpperCase()}`, text(value)]);
  const flags = { data_dir: '/nonexistent/cay' };
  const config = loadConfig({ flags, environment: Object.fromEntries(variables) });
  const table = toolTable(config);
  const described = (name: string) => table.tools.find((tool) => tool.name === name)?.description ?? '';
  return { tools: table.tools, described, instructions: instructions(config, table) };
}

test('run_js says what its code can reach, and what it cannot', () => {
  assert.match(reading().described('run_js'), / No files, modules or network\.$/);
  assert.match(reading({ stateless: true }).described('run_js'), / No files, modules or network\.$/);
  const fetching = reading({ fetch: { allow: [{ host: 'a.example' }, { host: 'b.example' }, { host: 'a.example' }] } });
  assert.match(fetching.described('run_js'), / No files or modules; fetch reaches a\.example, b\.example\.$/);
  const reaching = reading({ run_js_tools: true, run_js_artifacts: true }).described('run_js');
  assert.match(reaching, /await tools\.<server>\.<tool>\(args\)/);
  assert.match(reaching, /artifact\(artifactHandle\)/);
  assert.doesNotMatch(reading().described('run_js'), /tools\.|artifact|fetch/);
});

test('search_tools points to where the code that calls tools can run', () => {
  assert.match(reading({ run_js_tools: true }).described('search_tools'), /run_js has await tools/);
  assert.match(reading({ enable_code_execution: true }).described('search_tools'), /code_execution has call_tool/);
});

test('the instructions name one tool of each surface that is on', () => {
  const names = ['run_js', 'code_execution', 'sdl_runtime_execute'];
  const named = (settings?: Record<string, unknown>) =>
    names.filter((name) => reading(settings).instructions.includes(name));
  assert.deepEqual(named(), ['run_js']);
  assert.deepEqual(named({ enable_code_execution: true }), ['run_js', 'code_execution']);
  assert.deepEqual(named({ runtime: { enabled: true } }), ['run_js', 'sdl_runtime_execute']);
  const dotted = reading({ runtime: { enabled: true }, tool_names: 'dotted' });
  assert.match(dotted.instructions, /sdl\.runtime\.execute runs tests/);
});

test('a job is said to have no network, unless it has', () => {
  const described = (network: boolean) =>
    reading({ runtime: { enabled: true, network } }).described('sdl_runtime_execute');
  assert.match(described(false), /in a jail without network\./);
  assert.match(described(true), /in a jail\./);
});

test('schemas are listed without what says nothing', () => {
  const { tools } = reading({ enable_code_execution: true, runtime: { enabled: true } });
  for (const { name, input, output } of tools) {
    const listed = JSON.stringify([listedSchema(input, 'input'), listedSchema(output, 'output')]);
    assert.doesNotMatch(listed, /\$schema|9007199254740991|\$ref/, name);
  }
});
