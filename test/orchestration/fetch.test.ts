import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { fetchSchema } from '../../src/config/fetch.ts';
import { fetchFunctions } from '../../src/orchestration/fetch/functions.ts';
import { fetchRules } from '../../src/orchestration/fetch/rules.ts';
import { wholeFile } from '../cleanup.ts';
import { heapOf, testEngine, valueText } from '../engine/steps.ts';
import { browser, failing, startWeb } from './web.ts';

const engine = testEngine();
const file = wholeFile();
const bytes = Buffer.from([0, 255, 254, 1, 128]);
const long = 'ä€😀'.repeat(100_000);

const web = await startWeb(file, {
  '/bytes': (_, response) => response.end(bytes),
  '/long': (_, response) => response.end(long),
  '/bom': (_, response) => response.end('\ufeff{"a":1}'),
  '/nothing': (_, response) => response.writeHead(204).end(),
  '/missing': (_, response) => response.writeHead(404, 'Not Here', { 'X-Why': 'gone' }).end('no'),
  '/cookies': (_, response) =>
    response
      .writeHead(
        200,
        [
          ['Set-Cookie', 'a=1'],
          ['Set-Cookie', 'b=2'],
          ['Vary', 'A'],
          ['Vary', 'B'],
        ].flat(),
      )
      .end(),
  '/gzip': (_, response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(long)),
  '/deflate': (_, response) => response.writeHead(200, { 'Content-Encoding': 'deflate' }).end(deflateSync(long)),
  '/br': (_, response) => response.writeHead(200, { 'Content-Encoding': 'br' }).end(brotliCompressSync(long)),
  '/twice': (_, response) =>
    response.writeHead(200, { 'Content-Encoding': 'gzip, br' }).end(brotliCompressSync(gzipSync(long))),
  '/unknown-encoding': (_, response) => response.writeHead(200, { 'Content-Encoding': 'zebra' }).end('stripes'),
  '/empty-gzip': (_, response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(),
});
const host = `127.0.0.1:${web.port}`;
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const run = browser(engine, { allow: [{ host, methods }] });
const at = (path: string) => JSON.stringify(web.origin + path);

describe('fetch is what code knows it to be', () => {
  const values: Record<string, readonly [source: string, expected: unknown]> = {
    'text, status and headers': [
      `const r = await fetch(${at('/missing')}); [r.status, r.ok, r.statusText, r.headers.get('x-WHY'), r.headers.has('nope'), await r.text(), r.bodyUsed, r.redirected, r.type]`,
      [404, false, 'Not Here', 'gone', false, 'no', true, false, 'basic'],
    ],
    'JSON, and a URL without its fragment': [
      `const r = await fetch(new URL('/a?b=ä#c', ${at('')})); [r.ok, r.url, (await r.json()).path]`,
      [true, `${web.origin}/a?b=%C3%A4`, '/a?b=%C3%A4'],
    ],
    'bytes that are no text': [
      `const r = await fetch(${at('/bytes')}); const b = new Uint8Array(await r.clone().arrayBuffer()); [[...b], [...await r.bytes()]]`,
      [[...bytes], [...bytes]],
    ],
    'text of many bytes': [
      `const r = await fetch(${at('/long')}); const c = r.clone(); const t = await r.text(); [t.length, t.slice(-4), (await c.bytes()).length]`,
      [long.length, long.slice(-4), Buffer.byteLength(long)],
    ],
    'a byte order mark is no part of the text, and one of the bytes': [
      `const r = await fetch(${at('/bom')}); const c = r.clone(); [(await r.json()).a, (await c.bytes()).length]`,
      [1, 10],
    ],
    'a body is read once': [
      `const r = await fetch(${at('/bytes')}); await r.bytes(); try { await r.text() } catch (e) { [e.name, e.message] }`,
      ['TypeError', 'Body is unusable: Body has already been read'],
    ],
    'no body': [`const r = await fetch(${at('/nothing')}); [r.status, await r.text(), r.body]`, [204, '', null]],
    'HEAD has no body': [
      `const r = await fetch(${at('/long')}, { method: 'head' }); [r.status, await r.text(), r.headers.has('date')]`,
      [200, '', true],
    ],
    'headers are iterated in order, and cookies stay apart': [
      `const { headers } = await fetch(${at('/cookies')}); [headers.get('vary'), headers.getSetCookie(), [...headers].filter(([n]) => n === 'vary' || n === 'set-cookie'), [...headers.keys()].includes('vary')]`,
      [
        'A, B',
        ['a=1', 'b=2'],
        [
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
          ['vary', 'A, B'],
        ],
        true,
      ],
    ],
    gzip: [`(await (await fetch(${at('/gzip')})).text()).length`, long.length],
    deflate: [`(await (await fetch(${at('/deflate')})).text()).length`, long.length],
    br: [`(await (await fetch(${at('/br')})).text()).length`, long.length],
    'two encodings': [`(await (await fetch(${at('/twice')})).text()).length`, long.length],
    'an encoding that nobody knows': [`await (await fetch(${at('/unknown-encoding')})).text()`, 'stripes'],
    'an encoding of nothing': [`await (await fetch(${at('/empty-gzip')})).text()`, ''],
    'POST of a string': [
      `const { method, body, headers } = await (await fetch(${at('/')}, { method: 'POST', body: 'ä' })).json(); [method, body, headers['content-type'], headers['content-length']]`,
      ['POST', 'ä', 'text/plain;charset=UTF-8', '2'],
    ],
    'POST of JSON with its own type': [
      `const r = await fetch(${at('/')}, { method: 'post', body: JSON.stringify({ a: 1 }), headers: { 'Content-Type': 'application/json' } }); const { body, headers } = await r.json(); [body, headers['content-type']]`,
      ['{"a":1}', 'application/json'],
    ],
    'PUT of parameters': [
      `const { body, headers } = await (await fetch(${at('/')}, { method: 'PUT', body: new URLSearchParams({ q: 'a b&c' }) })).json(); [body, headers['content-type']]`,
      ['q=a+b%26c', 'application/x-www-form-urlencoded;charset=UTF-8'],
    ],
    'PATCH of bytes': [
      `const { body } = await (await fetch(${at('/')}, { method: 'PATCH', body: new TextEncoder().encode('xyzä').subarray(1) })).json(); body`,
      'yzä',
    ],
    'DELETE without a body': [
      `const { method, headers } = await (await fetch(${at('/')}, { method: 'DELETE' })).json(); [method, 'content-length' in headers]`,
      ['DELETE', false],
    ],
    'headers as an object, as pairs, as Headers and as a Map': [
      `const given = [{ 'X-A': 1 }, [['x-a', '1'], ['x-a', '2']], new Headers({ 'x-A': ' 1 ' }), new Map([['X-a', '3']])];
       const sent = []; for (const headers of given) sent.push((await (await fetch(${at('/')}, { headers })).json()).headers['x-a']); sent`,
      ['1', '1, 2', '1', '3'],
    ],
    'requests in parallel': [
      `(await Promise.all(Array.from({ length: 30 }, async (_, i) => (await (await fetch(${at('/')} + '?' + i)).json()).path))).join()`,
      Array.from({ length: 30 }, (_, i) => `/?${i}`).join(),
    ],
    'Response and Headers of one’s own': [
      `const r = Response.json({ a: [1] }, { status: 201 }); const h = new Headers(r.headers); h.append('a', 'b'); h.set('A', 'c'); h.delete('content-type');
       [r.status, r.headers.get('content-type'), await r.json(), [...h], await new Response('t').text(), Object.prototype.toString.call(r), fetch.name, fetch.length, Response.name]`,
      [201, 'application/json', { a: [1] }, [['a', 'c']], 't', '[object Response]', 'fetch', 1, 'Response'],
    ],
    'an abort ends it, with its reason': [
      `const c = new AbortController(); const p = fetch(${at('/')}, { signal: c.signal }); c.abort(new RangeError('enough')); try { await p } catch (e) { [e.name, e.message] }`,
      ['RangeError', 'enough'],
    ],
    'what was aborted before is not sent': [
      `try { await fetch(${at('/')}, { signal: AbortSignal.abort() }) } catch (e) { [e.name, e instanceof DOMException] }`,
      ['AbortError', true],
    ],
    'patched builtins do not break it': [
      `Array.prototype[Symbol.iterator] = null; Array.prototype.push = null; Map.prototype.get = null; String.prototype.toLowerCase = null; Promise.prototype.then = null; Object.prototype.get = 1;
       const r = await fetch(${at('/missing')}, { headers: { 'X-A': 'b' } }); r.status + r.headers.get('X-Why')`,
      '404gone',
    ],
  };
  for (const [name, [source, expected]] of Object.entries(values)) {
    test(name, async () => assert.deepEqual(await run(source), expected));
  }

  const refused: Record<string, readonly [source: string, message: RegExp]> = {
    'a body with GET': [
      failing(`${web.origin}/`, { body: 'x' }),
      /^TypeError: fetch failed: a GET request cannot have a body$/,
    ],
    'a body that is no body': [
      failing(`${web.origin}/`, { method: 'POST', body: { a: 1 } }),
      /^TypeError: .*use JSON.stringify$/,
    ],
    'a method that there is not': [failing(`${web.origin}/`, { method: 'TRACE' }), /"TRACE" is not a method/],
    'no URL': [failing('/relative'), /^TypeError: fetch failed: "\/relative" is not a URL$/],
    'another protocol': [failing('file:///etc/passwd'), /"file:" is not http or https$/],
    'a name and a password': [failing(`http://a:b@${host}/`), /a URL with a user name or a password is not taken$/],
    'a header with a line break': [
      failing(`${web.origin}/`, { headers: { a: 'b\r\nHost: x' } }),
      /^TypeError: The value of a header/,
    ],
    'a name of a header with a line break': [
      failing(`${web.origin}/`, { headers: { 'a\r\nHost': 'x' } }),
      /^TypeError: a\r\nHost is not a name of a header$/,
    ],
    'a redirect mode that there is not': [
      failing(`${web.origin}/`, { redirect: 'maybe' }),
      /^TypeError: Expected redirect/,
    ],
    'headers without end': [
      failing(`${web.origin}/`, { headers: { a: 'x'.repeat(20_000) } }),
      /the headers have more than 16384 bytes$/,
    ],
  };
  for (const [name, [source, message]] of Object.entries(refused)) {
    test(`refused: ${name}`, async () => assert.match(String(await run(source)), message));
  }

  for (const name of [
    'Host',
    'Connection',
    'Transfer-Encoding',
    'Content-Length',
    'TE',
    'Upgrade',
    'Expect',
    'Proxy-Authorization',
    'Keep-Alive',
    'Trailer',
    'X-HTTP-Method-Override',
  ]) {
    test(`the header ${name} cannot be set`, async () => {
      const failure = await run(failing(`${web.origin}/`, { headers: { [name]: '1' } }));
      assert.equal(failure, `TypeError: fetch failed: the header "${name.toLowerCase()}" cannot be set`);
    });
  }
});

test('responses survive in a heap, and fetch is there only in runs that may use it', async () => {
  const functions = fetchFunctions(fetchRules(fetchSchema.parse({ allow: [{ host }] }), {}));
  const first = `const kept = await fetch(${at('/bytes')}), head = kept.headers; const mine = new Headers({ a: 'b' }); const f = fetch; globalThis.own = 1; 1`;
  const heap = heapOf(await engine.run({ source: first, functions }));
  const source = `[typeof fetch, typeof Response, typeof Headers, kept.status, head.has('date'), [...mine], (await kept.bytes()).length, await f(${at('/')}).catch((e) => e.message)]`;
  const without = await engine.run({ source, heap, keepHeap: false });
  assert.deepEqual(JSON.parse(valueText(without)), [
    'undefined',
    'undefined',
    'undefined',
    200,
    true,
    [['a', 'b']],
    5,
    'fetch is not available in this run',
  ]);
  const again = await engine.run({
    source: `[kept instanceof Response, head instanceof Headers, f === fetch, (await fetch(${at('/bytes')})).status]`,
    heap,
    functions,
    keepHeap: false,
  });
  assert.deepEqual(JSON.parse(valueText(again)), [true, true, true, 200]);
});

test('an empty list allows nothing', async () => {
  assert.equal(
    await browser(engine, {})(failing(`${web.origin}/`)),
    `TypeError: fetch failed: host ${host} is not in fetch.allow`,
  );
});

test('methods are as the rule says, and the first rule that fits counts', async () => {
  const rules = { allow: [{ host }, { host, methods: ['DELETE'], headers: { 'x-rule': 'two' } }] };
  const limited = browser(engine, rules);
  const asked = (method: string) =>
    limited(`(await (await fetch(${at('/')}, { method: '${method}' })).json()).headers['x-rule'] ?? null`);
  assert.equal(await asked('GET'), null);
  assert.equal(await asked('DELETE'), 'two');
  assert.equal(
    await limited(failing(`${web.origin}/`, { method: 'POST', body: '' })),
    `TypeError: fetch failed: POST is not allowed for host ${host} in fetch.allow (allowed: GET, HEAD, DELETE)`,
  );
});

describe('the server trusts nothing of what an isolate process sends', () => {
  const plain = { id: 1, url: `${web.origin}/`, method: 'GET', headers: [], body: null, redirect: 'follow' };
  const messages: Record<string, readonly [message: unknown, failure: RegExp]> = {
    'no message': [undefined, /not one of the prelude$/],
    'another shape': [{ ...plain, headers: { a: 'b' } }, /not one of the prelude$/],
    'a redirect mode that there is not': [{ ...plain, redirect: 'any' }, /not one of the prelude$/],
    'a header that splits the request': [
      { ...plain, headers: [['a', 'b\r\nX: y']] },
      /has a value that cannot be sent$/,
    ],
    'a name that splits the request': [{ ...plain, headers: [['a: b\r\nX', 'y']] }, /cannot be set$/],
    'a header in capitals': [{ ...plain, headers: [['HOST', 'other.test']] }, /"HOST" cannot be set$/],
    'a header beyond Latin-1': [{ ...plain, headers: [['a', '€']] }, /has a value that cannot be sent$/],
    'a method with more behind it': [{ ...plain, method: 'GET / HTTP/1.1\r\nX: y' }, /is not a method of fetch$/],
    'a body with HEAD': [{ ...plain, method: 'HEAD', body: { base64: 'AAAA' } }, /a HEAD request cannot have a body$/],
  };
  const { fetch: hostFunction } = fetchFunctions(fetchRules(fetchSchema.parse({ allow: [{ host, methods }] }), {}));
  const { signal } = new AbortController();
  for (const [name, [message, failure]] of Object.entries(messages)) {
    test(name, async () => {
      const before = web.seen.length;
      await assert.rejects(async () => hostFunction?.call([message], signal), failure);
      assert.equal(web.seen.length, before);
    });
  }
  test('a cancel of what is not there, and two requests of one number', async () => {
    assert.equal(await hostFunction?.call([{ cancel: 99 }], signal), null);
    const both = await Promise.allSettled([1, 2].map(async () => hostFunction?.call([plain], signal)));
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  });
});
