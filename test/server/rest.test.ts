import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { wholeFile } from '../cleanup.ts';
import { json, type RunningServer, startServer } from './running.ts';

const file = wholeFile();
let server: RunningServer;
before(async () => {
  server = await startServer(file);
});

type Answer = { readonly status: number; readonly body: Awaited<ReturnType<typeof json>> };

async function request(method: string, path: string, body?: unknown): Promise<Answer> {
  const init =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
  const response = await fetch(server.url + path, { method, ...init });
  return { status: response.status, body: await json(response) };
}

const exec = async (given: Record<string, unknown>) =>
  (await request('POST', '/api/exec', { wait_secs: 30, ...given })).body;
const never = 'while (true);';

test('POST /api/exec answers with the id, and with more when it is told to wait', async () => {
  const { status, body } = await request('POST', '/api/exec', { code: '1' });
  assert.deepEqual([status, Object.keys(body)], [200, ['execution_id']]);
  const waited = await exec({ code: 'console.log("x"); 2' });
  assert.deepEqual([waited.status, waited.result, waited.output.data], ['completed', '2', 'x\n']);
});

test('GET /api/executions/{id} and its output', async () => {
  const { output, ...execution } = await exec({ code: 'console.log("1\\n2\\n3")' });
  const path = `/api/executions/${execution.execution_id}`;
  assert.deepEqual(await request('GET', path), { status: 200, body: execution });
  assert.deepEqual(await request('GET', `${path}/output`), { status: 200, body: output });
  const { body: lines } = await request('GET', `${path}/output?line_offset=2&line_limit=1`);
  assert.deepEqual([lines.data, lines.next_line_offset, lines.has_more], ['2\n', 3, true]);
  const { body: bytes } = await request('GET', `${path}/output?byte_offset=4&byte_limit=100`);
  assert.deepEqual([bytes.data, bytes.start_line, bytes.has_more], ['3\n', 3, false]);
});

test('POST /api/executions/{id}/cancel, with the status of its outcome', async () => {
  const { execution_id } = (await request('POST', '/api/exec', { code: never })).body;
  const path = `/api/executions/${execution_id}/cancel`;
  assert.deepEqual(await request('POST', path), { status: 200, body: { ok: true } });
  assert.deepEqual(await request('POST', path), {
    status: 409,
    body: { ok: false, error: `Execution '${execution_id}' is not running (status: cancelled)` },
  });
  assert.deepEqual(await request('POST', '/api/executions/none/cancel'), {
    status: 404,
    body: { ok: false, error: "Execution 'none' not found" },
  });
});

test('GET /api/executions takes a limit, a status and a cursor', async () => {
  const ids: string[] = [];
  for (let index = 0; index < 3; index++) ids.unshift((await exec({ code: 'throw 1' })).execution_id);
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null && seen.length < 3; ) {
    const query: string = `limit=2&status=failed${cursor && `&cursor=${cursor}`}`;
    const { body } = await request('GET', `/api/executions?${query}`);
    assert.ok(body.executions.length <= 2);
    seen.push(...body.executions.map((one: { execution_id: string }) => one.execution_id));
    cursor = body.next_cursor;
  }
  assert.deepEqual(seen.slice(0, 3), ids);
  const { body } = await request('GET', '/api/executions');
  assert.equal(body.next_cursor, null);
});

test('a session is named in the body, and its history read by name', async () => {
  const first = await exec({ code: 'let s = 1', session: 'my session' });
  await exec({ code: 'throw s', session: 'my session', heap: 'latest' });
  assert.deepEqual((await request('GET', '/api/sessions')).body, { sessions: ['my session'] });
  const { body } = await request('GET', '/api/sessions/my%20session/snapshots');
  assert.deepEqual(
    body.entries.map(({ timestamp: _, ...entry }: { timestamp: string }) => entry),
    [
      { index: 0, input_heap: null, output_heap: first.heap, code: 'let s = 1' },
      { index: 1, input_heap: first.heap, output_heap: null, code: 'throw s' },
    ],
  );
  const { body: short } = await request('GET', '/api/sessions/my%20session/snapshots?fields=index&offset=1&limit=1');
  assert.deepEqual(short, { entries: [{ index: 1 }] });
  assert.deepEqual((await request('GET', '/api/sessions/other/snapshots')).body, { entries: [] });
});

test('heaps and their tags', async () => {
  const { heap } = await exec({ code: 'let h = 1', tags: { a: '1', 'b:c': '2' } });
  const { body: info } = await request('GET', `/api/heaps/${heap}`);
  const { created_at, bytes, stored_bytes, ...others } = info;
  assert.deepEqual(others, { heap, v8: process.versions.v8, tags: { a: '1', 'b:c': '2' } });
  assert.ok(bytes > 100_000 && stored_bytes > 0 && stored_bytes < bytes && created_at.endsWith('Z'));
  assert.deepEqual((await request('GET', '/api/heaps?tag=a:1')).body, { results: [{ heap, tags: others.tags }] });
  assert.deepEqual((await request('GET', '/api/heaps?tag=a:1&tag=a:2')).body, { results: [] });
  assert.deepEqual((await request('GET', '/api/heaps')).body, { results: [{ heap, tags: others.tags }] });
  const tags = `/api/heaps/${heap}/tags`;
  assert.deepEqual(await request('PUT', tags, { tags: { x: 'y', z: '' } }), { status: 200, body: { ok: true } });
  assert.deepEqual(await request('DELETE', `${tags}?keys=x`), { status: 200, body: { ok: true } });
  assert.deepEqual(await request('GET', tags), { status: 200, body: { tags: { z: '' } } });
  const missing = { status: 404, body: { ok: false, error: "Heap 'none' not found" } };
  assert.deepEqual(await request('PUT', '/api/heaps/none/tags', { tags: {} }), missing);
  assert.deepEqual(await request('DELETE', '/api/heaps/none/tags'), missing);
});

const refusals: readonly (readonly [
  method: string,
  path: string,
  body: unknown,
  status: number,
  code: string,
  message: RegExp,
])[] = [
  ['POST', '/api/exec', {}, 400, 'invalid_argument', /^code: expected a string, got nothing$/],
  [
    'POST',
    '/api/exec',
    { code: '', sesion: 'x' },
    400,
    'invalid_argument',
    /^sesion: unknown, did you mean "session"\?$/,
  ],
  ['POST', '/api/exec', [], 400, 'invalid_argument', /^The body: expected an object, got \[\]$/],
  ['POST', '/api/exec', { code: '', heap_memory_max_mb: 600 }, 400, 'over_limit', /512/],
  [
    'POST',
    '/api/exec',
    { code: '/'.repeat(16 * 2 ** 20 + 1) },
    413,
    'too_large',
    /^code: expected at most 16 MiB, got 16777217 bytes$/,
  ],
  ['GET', '/api/executions/none', undefined, 404, 'not_found', /^Execution 'none' not found$/],
  ['GET', '/api/executions/..%2f..%2fetc', undefined, 404, 'not_found', /^Execution '\.\.\/\.\.\/etc' not found$/],
  ['GET', '/api/executions/none/output', undefined, 404, 'not_found', /^Execution 'none' not found$/],
  ['GET', '/api/executions/none/events', undefined, 404, 'not_found', /^Execution 'none' not found$/],
  ['GET', '/api/executions/none/output?line_offset=x', undefined, 400, 'invalid_argument', /^line_offset: .* got "x"$/],
  [
    'GET',
    '/api/executions?limit=0',
    undefined,
    400,
    'invalid_argument',
    /^limit: expected a whole number from 1 to 1000, got 0$/,
  ],
  ['GET', '/api/executions?status=done', undefined, 400, 'invalid_argument', /^status: expected one of "running", /],
  ['GET', '/api/executions?cursor=-1', undefined, 400, 'invalid_argument', /^cursor: /],
  ['GET', '/api/heaps/none', undefined, 404, 'not_found', /^Heap 'none' not found$/],
  ['GET', '/api/heaps?tag=a', undefined, 400, 'invalid_argument', /^tag: expected key:value, got "a"$/],
  ['GET', '/api/nothing', undefined, 404, 'not_found', /^GET \/api\/nothing is not served here; \/docs shows the API$/],
];

for (const [method, path, body, status, code, message] of refusals) {
  test(`${status} for ${method} ${path} ${JSON.stringify(body)?.slice(0, 60) ?? ''}`, async () => {
    const answer = await request(method, path, body);
    assert.deepEqual([answer.status, Object.keys(answer.body), answer.body.error.code], [status, ['error'], code]);
    assert.match(answer.body.error.message, message);
  });
}

test('a body that is no JSON, and one that is too large', async () => {
  const post = (body: string) => fetch(`${server.url}/api/exec`, { method: 'POST', body });
  const broken = await post('{');
  assert.equal(broken.status, 400);
  assert.match((await json(broken)).error.message, /^The body is not JSON: /);
  const large = await post(' '.repeat(65 * 2 ** 20));
  assert.deepEqual([large.status, (await json(large)).error.code], [413, 'too_large']);
});

interface Event {
  readonly event: string;
  readonly id: string | null;
  readonly data: ReturnType<typeof JSON.parse>;
}

/** Server-sent events until the stream ends. */
async function* eventsOf(response: Response): AsyncGenerator<Event> {
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
  let text = '';
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1] ?? null;
      const data = field('data');
      if (data !== null) yield { event: field('event') ?? '', id: field('id'), data: JSON.parse(data) };
    }
  }
}

const slow = 'for (let i = 0; i < 4; i++) { console.log("ä" + i); await new Promise((r) => setTimeout(r, 60)); } 9';

test('events stream output and status as they come, and end with the terminal status', async () => {
  const { execution_id } = (await request('POST', '/api/exec', { code: slow })).body;
  const response = await fetch(`${server.url}/api/executions/${execution_id}/events`);
  let output = '';
  let last: Event | null = null;
  for await (const event of eventsOf(response)) {
    last = event;
    if (event.event !== 'output') continue;
    assert.equal(event.data.start_byte, Buffer.byteLength(output), 'without gaps');
    output += event.data.data;
    assert.equal(event.id, String(Buffer.byteLength(output)));
  }
  assert.equal(output, 'ä0\nä1\nä2\nä3\n');
  assert.deepEqual([last?.event, last?.data.status, last?.data.result], ['status', 'completed', '9']);
});

test('events go on from any byte, or from where the connection broke', async () => {
  const { execution_id } = await exec({ code: slow });
  const texts = async (query: string, headers: Record<string, string>) => {
    const events = await Array.fromAsync(
      eventsOf(await fetch(`${server.url}/api/executions/${execution_id}/events${query}`, { headers })),
    );
    return events
      .filter(({ event }) => event === 'output')
      .map(({ data }) => data.data)
      .join('');
  };
  assert.equal(await texts('?byte_offset=4', {}), 'ä1\nä2\nä3\n');
  assert.equal(await texts('?byte_offset=4', { 'Last-Event-ID': '12' }), 'ä3\n');
});

test('GET /health and GET /metrics', async () => {
  const { body } = await request('GET', '/health');
  assert.deepEqual([body.status, body.running, body.queued, body.stateless], ['ok', 0, 0, false]);
  const response = await fetch(`${server.url}/metrics`);
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  const text = await response.text();
  for (const name of ['cay_executions_running 0', 'cay_executions_queued 0', 'process_cpu_seconds_total ']) {
    assert.ok(text.includes(`\n${name}`), name);
  }
  assert.match(text, /^cay_store_executions [1-9]/m);
  assert.match(text, /^cay_executions_total\{status="timed_out"\} 0$/m);
  assert.match(text, /^cay_http_requests_total\{method="POST",route="\/api\/exec",status="200"\} \d+$/m);
});

test('GET /metrics counts executions by their terminal status', async (t) => {
  const own = await startServer(t);
  const post = async (path: string, body: object) =>
    json(await fetch(own.url + path, { method: 'POST', body: JSON.stringify(body) }));
  const endings = ['1', '2', 'throw 1', 'while (true);'];
  const given = { wait_secs: 30, execution_timeout_secs: 1 };
  for (const code of endings) await post('/api/exec', { code, ...given });
  const { execution_id } = await post('/api/exec', { code: never });
  await post(`/api/executions/${execution_id}/cancel`, {});
  const text = await (await fetch(`${own.url}/metrics`)).text();
  const counts = text.matchAll(/^cay_executions_total\{status="(\w+)"\} (\d+)$/gm);
  assert.deepEqual(Object.fromEntries([...counts].map(([, status, count]) => [status, Number(count)])), {
    completed: 2,
    failed: 1,
    timed_out: 1,
    cancelled: 1,
  });
});

test('code that JSON escapes three times over still fits', async () => {
  const code = `${'\\u00e9'.repeat(8 * 2 ** 20 - 20)}`;
  const body = `{"code": "'${code}'.length", "wait_secs": 30}`;
  const answer = await json(await fetch(`${server.url}/api/exec`, { method: 'POST', body }));
  assert.equal(answer.result, String(8 * 2 ** 20 - 20));
});
