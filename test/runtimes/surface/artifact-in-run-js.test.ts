import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { wholeFile } from '../../cleanup.ts';
import { call } from '../../server/running.ts';
import { type JobServer, jobClient, jobServer, shell } from './jobs.ts';

const file = wholeFile();
let server: JobServer;
let client: Client;
let handle: unknown;
before(async () => {
  server = await jobServer(file, { more: { run_js_artifacts: true }, runtime: { maxArtifactMb: 40 } });
  client = await jobClient(file, server);
  ({ artifactHandle: handle } = await shell(client, 'seq 1 1000; printf "é€😀 last"; echo "Failed: 7" >&2'));
});

const run = async (code: string, given: Record<string, unknown> = {}) => {
  const answer = await call(client, 'run_js', { code, input: handle, wait_secs: 30, ...given });
  return answer.status === 'completed' ? JSON.parse(String(answer.result)) : answer.error;
};

test('an artifact has its sizes, its text and its lines', async () => {
  assert.deepEqual(await run('const a = artifact(input); [a.handle === input, a.totalLines, a.totalBytes]'), [
    true,
    1002,
    3893 + 14 + 10,
  ]);
  assert.equal(await run('artifact(input).text().slice(-24)'), '1000\né€😀 lastFailed: 7\n');
  assert.equal(await run('artifact(input).text("stderr")'), 'Failed: 7\n');
  assert.equal(await run('artifact(input).text({ stream: "stdout" }).length'), 3893 + 9);
  assert.deepEqual(await run('const l = artifact(input).lines(); [l.length, l[0], l.at(-2), l.at(-1)]'), [
    1002,
    '1',
    'é€😀 last',
    'Failed: 7',
  ]);
  assert.deepEqual(await run('artifact(input).lines({ from: 999, limit: 2 })'), ['999', '1000']);
  assert.deepEqual(await run('artifact(input).lines("stderr")'), ['Failed: 7']);
  assert.deepEqual(await run('artifact(input).lines({ from: 5000 })'), []);
});

test('grep is literal, in any case, of stdout first', async () => {
  assert.deepEqual(
    await run('artifact(input).grep("99")'),
    [
      ...[99, 199, 299, 399, 499, 599, 699, 799, 899, 990].map((n) => n),
      ...[991, 992, 993, 994, 995, 996, 997, 998, 999],
    ].map((line) => ({ line, text: String(line), source: 'stdout' })),
  );
  assert.deepEqual(await run('artifact(input).grep("FAILED")'), [{ line: 1, text: 'Failed: 7', source: 'stderr' }]);
  assert.deepEqual(await run('artifact(input).grep("9", { max: 2 }).map((m) => m.line)'), [9, 19]);
  assert.deepEqual(await run('artifact(input).grep(".")'), []);
});

test('a program works on an output that never enters the answer', async () => {
  const code = 'artifact(input).lines("stdout").slice(0, 1000).map(Number).reduce((a, b) => a + b)';
  assert.equal(await run(code), 500_500);
});

test('what is unknown or asked wrongly is an error that the code can catch', async () => {
  const caught = (code: string) => run(`try { ${code}; "no error" } catch (e) { [e.code ?? e.name, e.message] }`);
  assert.deepEqual(await caught('artifact("nothing")'), [
    'not_found',
    "Artifact 'nothing' not found: it is unknown, or its time is up",
  ]);
  for (const given of ['', '5', 'null', '{}', '"../x"'])
    assert.equal((await caught(`artifact(${given})`))[0], 'not_found');
  for (const wrong of [
    'text("stdin")',
    'lines({ from: 0 })',
    'lines({ start: 1 })',
    'grep("")',
    'grep()',
    'grep("x", { max: 0 })',
  ]) {
    assert.equal((await caught(`artifact(input).${wrong}`))[0], 'invalid_argument', wrong);
  }
});

test('what comes at once is bounded, and pages and grep reach the rest', async () => {
  const { artifactHandle } = await shell(
    client,
    'yes 0123456789012345678901234567890123456789 | head -n 600000; echo end',
  );
  const caught = (code: string) =>
    run(`try { ${code}; "no error" } catch (e) { e.name + ": " + e.message }`, { input: artifactHandle });
  assert.match(await caught('artifact(input).text()'), /^RangeError: text\(\) would bring more than 16 MiB/);
  assert.match(await caught('artifact(input).lines()'), /^RangeError: lines\(\) would bring more than 16 MiB/);
  const last = 'artifact(input).lines({ from: 600000, limit: 10 })';
  assert.deepEqual(await run(last, { input: artifactHandle }), ['0123456789'.repeat(4), 'end']);
  assert.deepEqual(await run('artifact(input).grep("end")', { input: artifactHandle }), [
    { line: 600_001, text: 'end', source: 'stdout' },
  ]);
});

test('without the setting there is no artifact, also for a heap that knew it', async (t) => {
  const { heap } = await call(client, 'run_js', { code: 'var kept = artifact(input)', input: handle, wait_secs: 30 });
  assert.equal(await run('[typeof artifact, kept.lines("stderr")[0]].join()', { heap }), 'function,Failed: 7');
  const folder = server.folder;
  await server.stop();
  const plain = await jobServer(t, { folder, args: [], env: { CAY_RUN_JS_ARTIFACTS: 'false' } });
  const other = await jobClient(t, plain);
  const code =
    'let message = ""; try { kept.text() } catch (e) { message = e.code }; [typeof artifact, message].join()';
  const { result } = await call(other, 'run_js', { code, heap, wait_secs: 30 });
  assert.equal(result, '"undefined,NOT_AVAILABLE"');
});
