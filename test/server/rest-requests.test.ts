import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { before, test } from 'node:test';
import { wholeFile } from '../cleanup.ts';
import { json, type RunningServer, startServer } from './running.ts';

const file = wholeFile();
let server: RunningServer;
let execution: Record<string, string>;
before(async () => {
  server = await startServer(file);
  execution = await exec({ code: 'let kept = 1; console.log("x")', session: 'usual' });
});

const at = (path: string, init: RequestInit = {}) => fetch(server.url + path, init);

async function exec(given: Record<string, unknown>): Promise<Record<string, string>> {
  return json(await at('/api/exec', { method: 'POST', body: JSON.stringify({ wait_secs: 30, ...given }) }));
}

/** Sends what fetch() would not: a path as it is, a GET with a body. */
function raw(method: string, path: string, body = ''): Promise<number | undefined> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, method, path, headers: { 'Content-Length': body.length } }, (response) =>
      response.resume().on('end', () => resolve(response.statusCode)),
    );
    sent.on('error', reject).end(body);
  });
}

const wrong: readonly (readonly [method: string, path: string, allow: string])[] = [
  ['GET', '/api/exec', 'POST'],
  ['HEAD', '/api/exec', 'POST'],
  ['DELETE', '/api/exec', 'POST'],
  ['POST', '/api/executions', 'GET, HEAD'],
  ['DELETE', '/api/executions/x', 'GET, HEAD'],
  ['GET', '/api/executions/x/cancel', 'POST'],
  ['POST', '/api/executions/x/events', 'GET, HEAD'],
  ['PATCH', '/api/heaps/x%2Fy/tags', 'PUT, GET, HEAD, DELETE'],
  ['PUT', '/health', 'GET, HEAD'],
  ['POST', '/docs', 'GET, HEAD'],
];

for (const [method, path, allow] of wrong) {
  test(`${method} ${path} is not allowed, and ${allow} is`, async () => {
    const response = await at(path, { method });
    assert.deepEqual([response.status, response.headers.get('allow')], [405, allow]);
    if (method === 'HEAD') return;
    const { code, message } = (await json(response)).error;
    assert.equal(code, 'method_not_allowed');
    assert.match(message, new RegExp(`^${method} .* is not served here, there is ${allow}$`));
  });
}

test('OPTIONS tells the methods', async () => {
  const response = await at('/api/heaps/x/tags', { method: 'OPTIONS' });
  assert.deepEqual([response.status, response.headers.get('allow')], [204, 'PUT, GET, HEAD, DELETE']);
});

test('HEAD is answered like GET, without a body', async () => {
  const paths = ['/health', '/metrics', '/docs', '/api/executions', `/api/executions/${execution.execution_id}`];
  for (const path of [...paths, '/api/executions/none']) {
    const [head, get] = [await at(path, { method: 'HEAD' }), await at(path)];
    assert.equal(head.status, get.status, path);
    assert.equal(head.headers.get('content-type'), get.headers.get('content-type'), path);
    assert.equal(await head.text(), '');
    await get.text();
  }
});

test('HEAD of an event stream ends, also while the execution runs', async () => {
  const { execution_id } = await exec({ code: 'while (true);', wait_secs: 0 });
  const head = await at(`/api/executions/${execution_id}/events`, { method: 'HEAD' });
  assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'text/event-stream']);
  assert.equal((await at('/api/executions/none/events', { method: 'HEAD' })).status, 404);
  await at(`/api/executions/${execution_id}/cancel`, { method: 'POST' });
});

const misplaced: readonly (readonly [method: string, path: string, body: string | null, message: RegExp])[] = [
  ['POST', '/api/exec?code=1', null, /^code: expected in the body, not in the query$/],
  ['POST', '/api/exec?wait_secs=1', '{"code": "1"}', /^wait_secs: expected in the body, not in the query$/],
  ['DELETE', '/api/heaps/HEAP/tags', '{"keys": "a"}', /^The body: none is taken here, arguments go into the query$/],
  ['PUT', '/api/heaps/HEAP/tags', '{"heap": "x", "tags": {}}', /^heap: expected in the path only$/],
  ['GET', '/api/heaps/HEAP/tags?heap=x', null, /^heap: expected in the path only$/],
  ['PUT', '/api/heaps/HEAP/tags', '{"tags": {"a": 1}}', /^tags\.a: expected a string, got 1$/],
  ['PUT', '/api/heaps/HEAP/tags', '{"tags": ["a"]}', /^tags: expected an object, got \["a"\]$/],
  ['PUT', '/api/heaps/HEAP/tags', '', /^tags: expected an object, got nothing$/],
  ['POST', '/api/executions/x/cancel', '{"force": true}', /^force: unknown, did you mean|^force: unknown: /],
  ['POST', '/api/exec', '{"toString": 1}', /^code: expected a string, got nothing\ntoString: unknown/],
  ['POST', '/api/exec', 'code=1', /^The body is not JSON: .*; it came as text\/plain|^The body is not JSON: /],
  ['POST', '/api/exec', 'true', /^The body: expected an object, got true$/],
  ['GET', '/api/executions?limit=0x10', null, /^limit: expected a whole number from 1 to 1000, got "0x10"$/],
  ['GET', '/api/executions?limit=1.5', null, /^limit: expected a whole number from 1 to 1000, got 1\.5$/],
  ['GET', '/api/executions?limit=', null, /^limit: expected a whole number from 1 to 1000, got ""$/],
  ['GET', '/api/executions?limit=1001', null, /^limit: expected a whole number from 1 to 1000, got 1001$/],
  ['GET', '/api/executions?constructor=1', null, /^constructor: unknown/],
  ['GET', '/api/executions/x/calls?after=-1', null, /^after: expected a whole number of at least 0, got -1$/],
  ['GET', '/api/audit?before=0', null, /^before: expected a whole number of at least 1, got 0$/],
  ['GET', '/api/sessions/x/snapshots?fields=name', null, /^fields: expected names among index, .* got "name"$/],
];

for (const [method, path, body, message] of misplaced) {
  test(`400 for ${method} ${path} ${body ?? ''}`, async () => {
    const response = await at(path.replace('HEAP', execution.heap ?? ''), {
      method,
      ...(body === null ? {} : { body }),
    });
    const { error } = await json(response);
    assert.deepEqual([response.status, error.code], [400, 'invalid_argument']);
    assert.match(error.message, message);
  });
}

test('a GET with a body is refused, one with an empty body is not', async () => {
  assert.equal(await raw('GET', '/api/executions', '{"limit": 1}'), 400);
  assert.equal(await raw('GET', '/api/executions'), 200);
});

test('a form is told to be sent as JSON', async () => {
  const form = new FormData();
  form.set('code', '1');
  const { error } = await json(await at('/api/exec', { method: 'POST', body: form }));
  assert.match(error.message, /^The body is not JSON: .*multipart\/form-data.*, send it as application\/json$/);
});

const names = [
  'a/b',
  '100%',
  '%2F',
  'ü\u{1f600}',
  'a b+c',
  "it's",
  '<x>&"',
  '?q=1#f',
  '\\',
  'a,b:c',
  'latest',
  '__proto__',
];

for (const name of names) {
  test(`a session called ${name} and tags of that name`, async () => {
    const given = { code: `let named = ${JSON.stringify(name)}`, session: name, tags: { [name]: 'first' } };
    const { heap } = await exec(given);
    const path = `/api/sessions/${encodeURIComponent(name)}/snapshots?fields=output_heap`;
    assert.deepEqual(await json(await at(path)), { entries: [{ output_heap: heap }] });
    assert.deepEqual(await json(await at(`/api/heaps/${heap}/tags`)), { tags: given.tags });
    const put = { method: 'PUT', body: JSON.stringify({ tags: { [name]: name } }) };
    assert.deepEqual(await json(await at(`/api/heaps/${heap}/tags`, put)), { ok: true });
    const found = await json(await at(`/api/heaps?${new URLSearchParams({ tag: `${name}:${name}` })}`));
    const colon = name.includes(':');
    assert.deepEqual(found.results, colon ? [] : [{ heap, tags: { [name]: name } }]);
  });
}

test('paths that are no paths', async () => {
  for (const path of ['/api/executions/%', '/api/executions/%zz', '/api/executions/%00', '/api/executions/%ff']) {
    assert.equal(await raw('GET', path), 404, path);
  }
  for (const path of ['/api/executions/', '//api/executions', '/api', '/API/executions', '/api/sessions/../../x']) {
    assert.equal(await raw('GET', path), 404, path);
  }
});

test('`latest` of a session has tags, as it has over MCP', async () => {
  const { heap } = await exec({ code: 'let here = 1', session: 'tagging' });
  const tags = '/api/heaps/latest/tags';
  const put = (body: object) => at(tags, { method: 'PUT', body: JSON.stringify(body) });
  assert.deepEqual(await json(await put({ tags: { a: '1' }, session: 'tagging' })), { ok: true });
  assert.deepEqual(await json(await at(`${tags}?session=tagging`)), { tags: { a: '1' } });
  assert.equal((await json(await at('/api/heaps/latest?session=tagging'))).heap, heap);
  const gone = await at(`${tags}?session=tagging&keys=a`, { method: 'DELETE' });
  assert.deepEqual(await json(gone), { ok: true });
  assert.deepEqual(await json(await at(`/api/heaps/${heap}/tags`)), { tags: {} });
  assert.equal((await put({ tags: {} })).status, 404, 'without a session there is none');
  assert.equal((await put({ tags: {}, session: 'other' })).status, 404);
});

test('heaps and sessions in pages', async () => {
  const heaps: string[] = [];
  for (const session of ['page 1', 'page 2', 'page 3']) {
    heaps.unshift((await exec({ code: `let at = '${session}'`, session, tags: { paged: 'yes' } })).heap ?? '');
  }
  const found = async (query: string): Promise<string[]> =>
    (await json(await at(`/api/heaps?tag=paged:yes&${query}`))).results.map((one: { heap: string }) => one.heap);
  assert.deepEqual(await found(''), heaps);
  assert.deepEqual(await found('limit=2'), heaps.slice(0, 2));
  assert.deepEqual(await found(`limit=2&after=${heaps[1]}`), heaps.slice(2));
  assert.deepEqual(await found(`after=${heaps[2]}`), []);
  assert.equal((await at('/api/heaps?after=none')).status, 400);
  const { sessions: all } = await json(await at('/api/sessions'));
  assert.deepEqual(all.slice(-3), ['page 1', 'page 2', 'page 3']);
  const last = `/api/sessions?offset=${all.length - 2}&limit=1`;
  assert.deepEqual(await json(await at(last)), { sessions: ['page 2'] });
  assert.deepEqual(await json(await at('/api/sessions?offset=1000')), { sessions: [] });
});
