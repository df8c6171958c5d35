import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { newJobId } from '../../src/runtimes/job/workspace.ts';
import { temporaryFolder, wholeFile } from '../cleanup.ts';
import { blocksOf, readPage } from '../docs/blocks.ts';
import { everything } from '../upstreams/servers/configuration.ts';
import { type RunningServer, startServer } from './running.ts';

const root = dirname(dirname(import.meta.dirname));
const token = 'a-token-of-the-owner';
const file = wholeFile();
let server: RunningServer;
let folder: string;

/** What the guide sends: in its first command, and in the first block of each tool. */
const guide = blocksOf('docs/guide.md');
const inCommand = /\/api\/exec .*\n\s+-d '(.*)'$/m.exec(readPage('docs/guide.md'))?.[1] ?? '';
const inBlock = (tool: string, after = '') =>
  guide.find(({ language, role, text }) => language === 'json' && role === tool && text.includes(after))?.text ?? '';

const example = `
import { cancelExecution, followExecution, getHeapTags, queryHeapsByTags, runJs, setHeapTags } from './client/index.js';
import { getExecution, getExecutionOutput } from './client/index.js';
import { codeExecution, sdlRuntimeExecute, sdlRuntimeQueryOutput } from './client/index.js';
import { client } from './client/client.gen.js';

export async function example(baseUrl: string, token: string) {
  client.setConfig({ baseUrl, auth: () => token, throwOnError: true });
  const { data: began } = await runJs({ body: ${inCommand}, throwOnError: true });
  const heap: string | null | undefined = began.heap;
  if (!heap) throw new Error('no heap');
  const { data: wentOn } = await runJs({ body: { ...${inBlock('run_js', '"heap"')}, heap }, throwOnError: true });
  const path = { execution_id: began.execution_id };
  const { data: execution } = await getExecution({ path, throwOnError: true });
  const { data: page } = await getExecutionOutput({ path, query: { line_limit: 10 }, throwOnError: true });
  const { data: tagged } = await setHeapTags({ path: { heap }, body: { tags: { stage: 'seen' } }, throwOnError: true });
  const { data: tags } = await getHeapTags({ path: { heap }, throwOnError: true });
  const { data: found } = await queryHeapsByTags({ query: { tag: ['stage:seen'] }, throwOnError: true });
  const { data: called } = await codeExecution({ body: ${inBlock('code_execution')}, throwOnError: true });
  const { data: job } = await sdlRuntimeExecute({ body: ${inBlock('sdl_runtime_execute')}, throwOnError: true });
  const artifactHandle: string | null = job.artifactHandle;
  if (!artifactHandle) throw new Error(JSON.stringify(job));
  const question = { ...${inBlock('sdl_runtime_queryOutput')}, artifactHandle };
  const { data: answer } = await sdlRuntimeQueryOutput({ body: question, throwOnError: true });
  const why: string | undefined = answer.excerpts[0]?.content;
  const late = await cancelExecution({ path, throwOnError: false });
  const { stream } = await followExecution({ path });
  const events: unknown[] = [];
  for await (const event of stream) events.push(event);
  // @ts-expect-error: there is no such argument
  const refused = await runJs({ body: { kode: '1' }, throwOnError: false });
  const jobs = { called, job, why };
  return { heap, wentOn, execution, page, tagged, tags, found, jobs, late: late.error, events, refused: refused.error };
}
`;

before(async () => {
  const [data, home] = [temporaryFolder(file), temporaryFolder(file)];
  const work = guide.find(({ text }) => text.startsWith('mkdir -p ~/work'))?.text ?? '';
  await promisify(execFile)('sh', ['-c', work], { env: { ...process.env, HOME: home } });
  const repos = { work: join(home, 'work') };
  const config = { enable_code_execution: true, mcpServers: { everything }, runtime: { enabled: true }, repos };
  writeFileSync(join(data, 'config.json'), JSON.stringify(config));
  server = await startServer(file, { folder: data, args: ['--auth-token', token] });
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

test('a client that is generated from the document has types that fit the guide', async () => {
  const compilerOptions = { module: 'nodenext', target: 'esnext', lib: ['esnext', 'dom', 'dom.iterable'], types: [] };
  const config = { compilerOptions: { ...compilerOptions, strict: true, noEmit: true }, files: ['example.ts'] };
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await assert.doesNotReject(promisify(execFile)(process.execPath, [tsc, '-p', folder]));
});

test('and does what the guide does: code, its heap, its output, a tag, tool calls, a job and a look into its output', async () => {
  const outfile = join(folder, 'example.mjs');
  await build({ entryPoints: [join(folder, 'example.ts')], bundle: true, format: 'esm', platform: 'node', outfile });
  const { example: run } = await import(outfile);
  const { heap, wentOn, execution, page, tagged, tags, found, jobs, late, events, refused } = await run(
    server.url,
    token,
  );
  assert.deepEqual([wentOn.status, wentOn.heap_restored, wentOn.result], ['completed', true, '[1,2,3]']);
  assert.deepEqual([execution.status, execution.result, execution.heap], ['completed', '2', heap]);
  assert.deepEqual([page.data, page.has_more], ['hello\n', false]);
  assert.deepEqual([tagged, tags], [{ ok: true }, { tags: { stage: 'seen' } }]);
  assert.deepEqual(found, { results: [{ heap, tags: { stage: 'seen' } }] });
  assert.deepEqual(jobs.called, { ok: true, value: '3 calls, the last: The sum of 3 and 10 is 13.' });
  assert.deepEqual([jobs.job.status, jobs.job.exitCode], ['failure', 1], JSON.stringify(jobs.job));
  assert.match(jobs.why, /Reduce of empty array with no initial value/);
  const { execution_id } = execution;
  assert.deepEqual(late, { ok: false, error: `Execution '${execution_id}' is not running (status: completed)` });
  assert.deepEqual(events.at(-1), execution);
  assert.equal(refused.error.code, 'invalid_argument');
});

test('the ids in the document look like those that a server makes', async () => {
  const headers = { Authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${server.url}/api/exec`, { method: 'POST', headers, body: '{"code": "1"}' });
  const { execution_id } = JSON.parse(await answer.text());
  const { paths } = JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8'));
  const [ofExecution] = paths['/api/executions/{execution_id}'].get.parameters;
  const [ofJob] = paths['/api/runtime/jobs/{jobId}/cancel'].post.parameters;
  for (const id of [execution_id, ofExecution.example]) assert.match(id, /^[0-9a-hjkmnp-tv-z]{12}$/);
  for (const id of [newJobId(), ofJob.example]) assert.match(id, /^job-[0-9a-f]{16}$/);
});
