import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { wholeFile } from '../cleanup.ts';
import { jobServer } from '../runtimes/surface/jobs.ts';
import { toolbox } from '../upstreams/servers/configuration.ts';
import { type ApiDocument, readDocument } from './api-document.ts';
import { json, type RunningServer, startServer } from './running.ts';

type Fields = Readonly<Record<string, unknown>>;

const file = wholeFile();
let server: RunningServer;
let stateless: RunningServer;
let switchedOff: RunningServer;
let api: ApiDocument;
before(async () => {
  const more = { enable_code_execution: true, mcpServers: { box: toolbox(), broken: { command: 'false' } } };
  [server, stateless, switchedOff] = await Promise.all([
    jobServer(file, { more }),
    startServer(file, { args: ['--stateless'] }),
    startServer(file),
  ]);
  api = await readDocument(server.url);
});

/** Which statuses of each operation have been seen, all of them as documented. */
const seen = new Map<string, Set<number>>();

/** Calls an operation with its arguments where the document wants them, and holds its answer against the document. */
async function request(name: string, given: Fields = {}): Promise<{ status: number; text: string }> {
  const { method, path } = api.operation(name);
  const described = api.document.paths[path][method.toLowerCase()];
  const left = new Map(Object.entries(given));
  const url = new URL(server.url);
  url.pathname = path.replaceAll(/\{(\w+)\}/g, (_, argument: string) => {
    const value = encodeURIComponent(String(left.get(argument)));
    left.delete(argument);
    return value;
  });
  const hasBody = described.requestBody !== undefined;
  if (!hasBody) for (const [argument, value] of left) url.searchParams.append(argument, String(value));
  const body = hasBody ? { body: JSON.stringify(Object.fromEntries(left)) } : {};
  const response = await fetch(url, { method, headers: { 'Content-Type': 'application/json' }, ...body });
  const text = await response.text();
  api.check(name, response, text);
  seen.set(name, (seen.get(name) ?? new Set()).add(response.status));
  return { status: response.status, text };
}

async function answered(name: string, given: Fields, status = 200): Promise<ReturnType<typeof JSON.parse>> {
  const answer = await request(name, given);
  assert.equal(answer.status, status, answer.text);
  return JSON.parse(answer.text);
}

const never = 'while (true);';

test('executions', async () => {
  const submitted = await answered('run_js', { code: 'console.log(1); throw new Error("x")' });
  const { execution_id, heap } = await answered('run_js', {
    code: 'let kept = 1; console.log("a\\nb"); kept',
    wait_secs: 30,
    session: 'one',
    tags: { stage: 'first' },
    input: [null, { a: 1 }],
  });
  await answered('run_js', { code: 'kept', heap, wait_secs: 30, session: 'one' });
  await answered('run_js', { code: '1', heap: 'none', wait_secs: 30 });
  for (const id of [submitted.execution_id, execution_id]) {
    await answered('get_execution', { execution_id: id });
    await answered('get_execution_output', { execution_id: id, line_offset: 1 });
    await answered('get_execution_output', { execution_id: id, byte_offset: 100, byte_limit: 1 });
  }
  await answered('list_executions', { limit: 1, status: 'completed' });
  await answered('list_executions', {});
  await answered('cancel_execution', { execution_id }, 409);
  await answered('cancel_execution', { execution_id: 'none' }, 404);
  const long = await answered('run_js', { code: never });
  await answered('get_execution', { execution_id: long.execution_id });
  await answered('cancel_execution', { execution_id: long.execution_id });
});

test('refusals', async () => {
  await answered('run_js', {}, 400);
  await answered('run_js', { code: '/'.repeat(16 * 2 ** 20 + 1) }, 413);
  await answered('get_execution', { execution_id: 'none' }, 404);
  await answered('get_execution', { execution_id: 'none', unknown: 1 }, 400);
  await answered('get_execution_output', { execution_id: 'none' }, 404);
  await answered('follow_execution', { execution_id: 'none' }, 404);
  await answered('follow_execution', { execution_id: 'none', byte_offset: -1 }, 400);
  await answered('list_tool_calls', { execution_id: 'none' }, 404);
  await answered('get_heap', { heap: 'none' }, 404);
  await answered('describe_tool', { server: 'box', tool: 'none' }, 404);
  await answered('describe_tool', { server: 'none', tool: 'none' }, 404);
  await answered('describe_tool', { server: 'broken', tool: 'any' }, 502);
  await answered('sdl_runtime_queryOutput', { artifactHandle: 'none', queryTerms: ['a'] }, 404);
});

test('heaps and sessions', async () => {
  const { heap, execution_id } = await answered('run_js', { code: 'let tagged = 1', wait_secs: 30, session: 'two/ü%' });
  for (const reference of [heap, heap.slice(0, 12), execution_id]) await answered('get_heap', { heap: reference });
  await answered('get_heap', { heap: 'latest', session: 'two/ü%' });
  await answered('set_heap_tags', { heap, tags: { a: '1', 'ü/': '' } });
  await answered('set_heap_tags', { heap: 'none', tags: {} }, 404);
  await answered('get_heap_tags', { heap });
  await answered('query_heaps_by_tags', { tag: 'a:1' });
  await answered('delete_heap_tags', { heap, keys: 'a' });
  await answered('delete_heap_tags', { heap: 'none' }, 404);
  await answered('list_sessions', {});
  assert.equal((await answered('list_session_snapshots', { session: 'two/ü%' })).entries.length, 1);
  await answered('list_session_snapshots', { session: 'two/ü%', fields: 'index', offset: 0, limit: 1 });
});

test('code that calls tools', async () => {
  const code = 'const { tools } = search_tools(""); call_tool("box", "none", {}); ({ found: tools.length })';
  await answered('code_execution', { code });
  await answered('code_execution', { code: 'throw new Error("x")', options: { include_logs: true } });
  await answered('code_execution', { code: '({ at: new Date() })' });
  const { executions } = await answered('list_executions', { limit: 3 });
  for (const { execution_id } of executions) await answered('list_tool_calls', { execution_id, limit: 1 });
  const { tools } = await answered('search_tools', { query: '', limit: 1, servers: 'box' });
  await answered('describe_tool', { server: tools[0].server, tool: tools[0].tool });
  await answered('search_tools', { query: 'nothing that there is' });
  await answered('list_upstreams', {});
});

test('jobs', async () => {
  const job = { repoId: 'my-repo', runtime: 'shell' };
  const { artifactHandle } = await answered('sdl_runtime_execute', { ...job, code: 'seq 5; echo oops >&2; exit 3' });
  await answered('sdl_runtime_queryOutput', { artifactHandle, queryTerms: ['oops'] });
  await answered('sdl_runtime_execute', { ...job, code: 'seq 5', outputMode: 'summary', queryTerms: ['3'] });
  await answered('sdl_runtime_execute', { ...job, code: 'seq 5', outputMode: 'intent', queryTerms: ['3'] });
  await answered('sdl_runtime_execute', { ...job, runtime: 'perl', code: '1' });
  const running = answered('sdl_runtime_execute', { ...job, code: 'sleep 60' });
  let jobs = [];
  while (jobs.length === 0) jobs = (await answered('list_jobs', {})).jobs;
  await answered('cancel_job', { jobId: jobs[0].jobId });
  assert.equal((await running).status, 'cancelled');
  await answered('cancel_job', { jobId: 'none' }, 404);
  await answered('list_runtimes', {});
  await answered('list_audit_records', { limit: 2 });
  await answered('verify_audit', {});
});

test('the server itself', async () => {
  await answered('get_health', {});
  await answered('get_openapi', {});
  assert.match((await request('get_metrics')).text, /^cay_executions_running /m);
  assert.match((await request('get_docs')).text, /^<!doctype html>/);
});

test('the event stream, with the data of its events', async () => {
  const { execution_id } = await answered('run_js', { code: 'console.log("ä"); 1', wait_secs: 30 });
  const { text } = await request('follow_execution', { execution_id });
  const names = text
    .trim()
    .split('\n\n')
    .map((block) => {
      const line = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
      const schema = line('event') === 'output' ? 'OutputEvent' : 'Execution';
      api.fits(`/components/schemas/${schema}`, JSON.parse(line('data')), line('event'));
      return line('event');
    });
  assert.ok(names.includes('output') && names.at(-1) === 'status');
});

test('all of these were called, with every status that is not a refusal', () => {
  for (const { name, path, method } of api.operations) {
    const { responses } = api.document.paths[path][method.toLowerCase()];
    const own = Object.keys(responses).filter((status) => responses[status].$ref === undefined);
    for (const status of own) assert.ok(seen.get(name)?.has(Number(status)), `${name} ${status}`);
  }
});

test('a stateless server answers as its own document says', async () => {
  const { url } = stateless;
  const own = await readDocument(url);
  for (const code of ['console.log(1); 2', 'throw 1']) {
    const response = await fetch(`${url}/api/exec`, { method: 'POST', body: JSON.stringify({ code }) });
    own.check('run_js', response, await response.text());
  }
});

test('a surface that is switched off answers as documented', async () => {
  const { url } = switchedOff;
  const own = await readDocument(url);
  const post = (path: string, body: Fields) => fetch(url + path, { method: 'POST', body: JSON.stringify(body) });
  const check = async (name: string, response: Response, status: number) => {
    assert.equal(response.status, status, name);
    own.check(name, response, JSON.stringify(await json(response)));
  };
  await check('code_execution', await post('/api/code/exec', { code: '1' }), 403);
  await check('search_tools', await fetch(`${url}/api/tools`), 403);
  await check('sdl_runtime_execute', await post('/api/runtime/execute', { repoId: 'a', runtime: 'shell' }), 200);
  await check('sdl_runtime_queryOutput', await post('/api/runtime/query-output', {}), 403);
});
