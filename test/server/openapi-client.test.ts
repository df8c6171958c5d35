import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { temporaryFolder, wholeFile } from '../cleanup.ts';
import { type RunningServer, startServer } from './running.ts';

const root = dirname(dirname(import.meta.dirname));
const token = 'a-token-of-the-owner';
const file = wholeFile();
let server: RunningServer;
let folder: string;

/** What the README sends, first and second. */
const [first = '', second = ''] = readFileSync(join(root, 'README.md'), 'utf8')
  .matchAll(/\/api\/exec .*\n\s+-d '(.*)'$/gm)
  .map(([, body = '']) => JSON.parse(body).code);

const example = `
import { cancelExecution, followExecution, getHeapTags, queryHeapsByTags, runJs, setHeapTags } from './client/index.js';
import { getExecution, getExecutionOutput } from './client/index.js';
import { client } from './client/client.gen.js';

export async function example(baseUrl: string, token: string) {
  client.setConfig({ baseUrl, auth: () => token, throwOnError: true });
  const { data: began } = await runJs({ body: { code: ${JSON.stringify(first)}, wait_secs: 30 }, throwOnError: true });
  const heap: string | null | undefined = began.heap;
  if (!heap) throw new Error('no heap');
  const { data: wentOn } = await runJs({ body: { code: ${JSON.stringify(second)}, heap, wait_secs: 30 }, throwOnError: true });
  const path = { execution_id: began.execution_id };
  const { data: execution } = await getExecution({ path, throwOnError: true });
  const { data: page } = await getExecutionOutput({ path, query: { line_limit: 10 }, throwOnError: true });
  const { data: tagged } = await setHeapTags({ path: { heap }, body: { tags: { stage: 'seen' } }, throwOnError: true });
  const { data: tags } = await getHeapTags({ path: { heap }, throwOnError: true });
  const { data: found } = await queryHeapsByTags({ query: { tag: ['stage:seen'] }, throwOnError: true });
  const late = await cancelExecution({ path, throwOnError: false });
  const { stream } = await followExecution({ path });
  const events: unknown[] = [];
  for await (const event of stream) events.push(event);
  // @ts-expect-error: there is no such argument
  const refused = await runJs({ body: { kode: '1' }, throwOnError: false });
  return { heap, wentOn, execution, page, tagged, tags, found, late: late.error, events, refused: refused.error };
}
`;

before(async () => {
  assert.ok(first && second, 'the README has the two runs');
  server = await startServer(file, { args: ['--auth-token', token] });
  folder = temporaryFolder(file);
  const document = await fetch(`${server.url}/api/openapi.json`, { headers: { Authorization: `Bearer ${token}` } });
  writeFileSync(join(folder, 'openapi.json'), await document.text());
  // The generator prints its code with a compiler that is written in JavaScript; the newest one is not.
  const hooks = registerHooks({
    resolve: (name, context, next) => next(name === 'typescript' ? 'typescript-js' : name, context),
  });
  const { createClient } = await import('@hey-api/openapi-ts');
  await createClient({
    input: join(folder, 'openapi.json'),
    output: join(folder, 'client'),
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent' },
  });
  hooks.deregister();
  writeFileSync(join(folder, 'example.ts'), example);
});

test('a client that is generated from the document has types that fit the example', async () => {
  const compilerOptions = { module: 'nodenext', target: 'esnext', lib: ['esnext', 'dom', 'dom.iterable'], types: [] };
  const config = { compilerOptions: { ...compilerOptions, strict: true, noEmit: true }, files: ['example.ts'] };
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await assert.doesNotReject(promisify(execFile)(process.execPath, [tsc, '-p', folder]));
});

test('and runs it: code, its heap, its output, a tag', async () => {
  const outfile = join(folder, 'example.mjs');
  await build({ entryPoints: [join(folder, 'example.ts')], bundle: true, format: 'esm', platform: 'node', outfile });
  const { example: run } = await import(outfile);
  const { heap, wentOn, execution, page, tagged, tags, found, late, events, refused } = await run(server.url, token);
  assert.deepEqual([wentOn.status, wentOn.heap_restored, wentOn.result], ['completed', true, '[1,2,3]']);
  assert.deepEqual([execution.status, execution.result, execution.heap], ['completed', '2', heap]);
  assert.deepEqual([page.data, page.has_more], ['hello\n', false]);
  assert.deepEqual([tagged, tags], [{ ok: true }, { tags: { stage: 'seen' } }]);
  assert.deepEqual(found, { results: [{ heap, tags: { stage: 'seen' } }] });
  const { execution_id } = execution;
  assert.deepEqual(late, { ok: false, error: `Execution '${execution_id}' is not running (status: completed)` });
  assert.deepEqual(events.at(-1), execution);
  assert.equal(refused.error.code, 'invalid_argument');
});
