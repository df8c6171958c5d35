import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, refused } from '../../server/running.ts';
import { execute, jobClient, jobServer, queryOutput, request, shell } from './jobs.ts';

const documented = { execute: 'sdl.runtime.execute', queryOutput: 'sdl.runtime.queryOutput' };
const isRuntimeTool = ({ name }: { name: string }) => name.startsWith('sdl');

test('the tools are listed without dots, and answer under both names', async (t) => {
  const server = await jobServer(t);
  const client = await jobClient(t, server);
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.filter(isRuntimeTool).map(({ name }) => name),
    [execute, queryOutput],
  );
  const given = { repoId: 'my-repo', runtime: 'shell', code: 'echo found' };
  for (const name of [execute, documented.execute]) {
    const { status, artifactHandle } = await call(client, name, given);
    assert.equal(status, 'success');
    for (const query of [queryOutput, documented.queryOutput]) {
      const { excerpts } = await call(client, query, { artifactHandle, queryTerms: ['FOUND'] });
      assert.deepEqual(excerpts, [{ lineStart: 1, lineEnd: 1, content: 'found', source: 'stdout' }]);
    }
  }
});

test('tool_names: "dotted" lists the documented names, and the others answer as well', async (t) => {
  const client = await jobClient(t, await jobServer(t, { more: { tool_names: 'dotted' } }));
  const { tools } = await client.listTools();
  const [first, second] = tools.filter(isRuntimeTool);
  assert.deepEqual([first?.name, second?.name], Object.values(documented));
  assert.match(first?.description ?? '', /sdl\.runtime\.queryOutput/);
  assert.equal((await shell(client, 'true')).status, 'success');
  assert.equal(
    (await call(client, documented.execute, { repoId: 'my-repo', runtime: 'shell', code: 'true' })).status,
    'success',
  );
});

test('the schemas have the ranges and defaults of the document', async (t) => {
  const client = await jobClient(t, await jobServer(t));
  const { tools } = await client.listTools();
  const [run, query] = tools.filter(isRuntimeTool);
  const { properties = {}, required, additionalProperties } = Object(run?.inputSchema);
  assert.deepEqual([required, additionalProperties], [['repoId', 'runtime'], false]);
  assert.deepEqual(
    properties.runtime.enum,
    'node typescript python shell go java kotlin rust c cpp csharp ruby php perl r elixir'.split(' '),
  );
  const range = (one: Record<string, unknown>) => [one.type, one.minimum, one.maximum, one.default];
  assert.deepEqual(range(properties.timeoutMs), ['integer', 100, 300_000, undefined]);
  assert.deepEqual(range(properties.maxResponseLines), ['integer', 10, 1000, 100]);
  assert.deepEqual([properties.args.type, properties.args.maxItems], ['array', 100]);
  assert.deepEqual([properties.queryTerms.type, properties.queryTerms.maxItems], ['array', 10]);
  assert.deepEqual([properties.relativeCwd.default, properties.persistOutput.default], ['.', true]);
  assert.deepEqual(
    [properties.outputMode.enum, properties.outputMode.default],
    [['minimal', 'summary', 'intent'], 'minimal'],
  );
  assert.match(properties.repoId.description, /my-repo/);
  const asked = Object(query?.inputSchema);
  assert.deepEqual(asked.required, ['artifactHandle', 'queryTerms']);
  assert.deepEqual(range(asked.properties.maxExcerpts), ['integer', 1, 100, 10]);
  assert.deepEqual(range(asked.properties.contextLines), ['integer', 0, 20, 3]);
  assert.deepEqual(
    [asked.properties.stream.enum, asked.properties.stream.default],
    [['stdout', 'stderr', 'both'], 'both'],
  );
  const fields = 'status exitCode signal durationMs artifactHandle policyDecision'.split(' ');
  assert.deepEqual(Object(run?.outputSchema).required, fields);
  assert.deepEqual(Object(query?.outputSchema).required, [
    'artifactHandle',
    'excerpts',
    'totalLines',
    'totalBytes',
    'searchedStreams',
  ]);
  assert.deepEqual([run?.annotations?.readOnlyHint, query?.annotations?.readOnlyHint], [false, true]);
});

test('switched off: not listed, execute is denied with the setting, queryOutput is refused', async (t) => {
  const server = await jobServer(t, { runtime: { enabled: false } });
  const client = await jobClient(t, server);
  assert.deepEqual((await client.listTools()).tools.filter(isRuntimeTool), []);
  const given = { repoId: 'my-repo', runtime: 'shell', code: 'true' };
  for (const name of [execute, documented.execute]) {
    // The gate is before the arguments: whoever asks wrongly hears first that nothing runs here.
    for (const asked of [given, {}, { ...given, timeoutMs: 1 }]) {
      const { policyDecision, ...answer } = await call(client, name, asked);
      const { auditHash, deniedReasons } = Object(policyDecision);
      assert.deepEqual(answer, {
        status: 'denied',
        exitCode: null,
        signal: null,
        durationMs: 0,
        artifactHandle: null,
        outputLines: 0,
        outputBytes: 0,
      });
      assert.match(auditHash, /^[0-9a-f]{16}$/);
      assert.equal(deniedReasons.length, 1);
      assert.match(deniedReasons[0], /runtime\.enabled/);
    }
  }
  for (const name of [queryOutput, documented.queryOutput]) {
    const message = await refused(client, name, { artifactHandle: 'x', queryTerms: [] });
    assert.match(message, /switched off.*runtime\.enabled/);
  }
  const denied = await request(server, 'POST', '/api/runtime/execute', { ...given, outputMode: 'summary' });
  assert.deepEqual([denied.status, denied.body.status, denied.body.stdoutSummary], [200, 'denied', '']);
  const query = await request(server, 'POST', '/api/runtime/query-output', { artifactHandle: 'x', queryTerms: [] });
  assert.deepEqual([query.status, query.body.error.code], [403, 'switched_off']);
  const { body } = await request(server, 'GET', '/api/audit');
  assert.equal(body.records.length, 7);
});

test('a stateless server has the runtimes as configured', async (t) => {
  const client = await jobClient(t, await jobServer(t, { args: ['--stateless'] }));
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['run_js', execute, queryOutput],
  );
  assert.equal((await shell(client, 'true')).status, 'success');
});
