import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { wholeFile } from '../cleanup.ts';
import { testEngine } from '../engine/steps.ts';
import { type Answer, browser, failing, resolverOf, startWeb } from './web.ts';

const engine = testEngine();
const file = wholeFile();

/** `/to?302&http://…`: a redirect with that status to that place. */
const redirecting: Answer = ({ path }, response) => {
  const [, status = '', ...place] = /^\/to\?(\d+)&(.*)$/s.exec(path) ?? [];
  response.writeHead(Number(status), { Location: decodeURIComponent(place.join('')) }).end('moved');
};
/** `/chain?3`: so many redirects, and then an answer. */
const chained: Answer = ({ path }, response) => {
  const left = Number(path.split('?')[1]);
  if (left === 0) response.end('arrived');
  else response.writeHead(302, { Location: `chain?${left - 1}` }).end();
};

const first = await startWeb(file, {
  '/to': redirecting,
  '/chain': chained,
  '/bare': (_, response) => response.writeHead(302).end('bare'),
});
const second = await startWeb(file, { '/to': redirecting });
const unlisted = await startWeb(file);
const all = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];
const run = browser(engine, {
  allow: [
    { host: `127.0.0.1:${first.port}`, methods: all, headers: { 'X-Rule': 'first-secret-1' } },
    { host: `127.0.0.1:${second.port}`, methods: ['GET', 'POST'], headers: { 'X-Other': 'second-secret-2' } },
    { host: `name.test:${first.port}`, addresses: ['127.0.0.1'] },
  ],
});
const to = (place: string, status = 302) => `${first.origin}/to?${status}&${encodeURIComponent(place)}`;

test('a redirect is followed, and the answer says so', async () => {
  const code = `const r = await fetch(${JSON.stringify(to('/end?x#y'))}); [r.status, r.redirected, r.url, (await r.json()).path]`;
  assert.deepEqual(await run(code), [200, true, `${first.origin}/end?x`, '/end?x']);
});

describe('method and body after a redirect', () => {
  const rows: [method: string, status: number, then: string, body: string][] = [
    ['POST', 301, 'GET', ''],
    ['POST', 302, 'GET', ''],
    ['POST', 303, 'GET', ''],
    ['POST', 307, 'POST', 'data'],
    ['POST', 308, 'POST', 'data'],
    ['PUT', 301, 'PUT', 'data'],
    ['PUT', 302, 'PUT', 'data'],
    ['PUT', 303, 'GET', ''],
    ['PUT', 307, 'PUT', 'data'],
    ['DELETE', 303, 'GET', ''],
  ];
  for (const [method, status, then, body] of rows) {
    test(`${method} and ${status}`, async () => {
      const init = { method, body: 'data', headers: { 'Content-Type': 'a/b', 'X-Mine': '1' } };
      const code = `const { method, body, headers } = await (await fetch(${JSON.stringify(to('/end', status))}, ${JSON.stringify(init)})).json();
        [method, body, headers['content-type'] ?? null, headers['x-mine']]`;
      assert.deepEqual(await run(code), [then, body, body === '' ? null : 'a/b', '1']);
    });
  }
  test('HEAD stays HEAD', async () => {
    await run(`(await fetch(${JSON.stringify(to('/end', 303))}, { method: 'HEAD' })).status`);
    assert.equal(first.seen.at(-1)?.method, 'HEAD');
  });
});

test('five redirects and no more', async () => {
  assert.equal(await run(failing(`${first.origin}/chain?5`)), 'answered 200 arrived');
  assert.equal(await run(failing(`${first.origin}/chain?6`)), 'TypeError: fetch failed: more than 5 redirects');
});

test('error and manual', async () => {
  const refused = await run(failing(to('/end'), { redirect: 'error' }));
  assert.equal(refused, `TypeError: fetch failed: 127.0.0.1:${first.port} answered with a redirect`);
  const code = `const r = await fetch(${JSON.stringify(to('/end'))}, { redirect: 'manual' }); [r.status, r.headers.get('location'), await r.text(), r.redirected]`;
  assert.deepEqual(await run(code), [302, '/end', 'moved', false]);
});

test('a redirect without a place is an answer', async () => {
  assert.equal(await run(failing(`${first.origin}/bare`)), 'answered 302 bare');
});

describe('a redirect off the list is not followed', () => {
  const places = [
    `http://127.0.0.1:${unlisted.port}/`,
    `http://localhost:${unlisted.port}/`,
    `http://0x7f000001:${unlisted.port}/`,
    `//[::ffff:127.0.0.1]:${unlisted.port}/`,
    'http://169.254.169.254/latest/meta-data/',
    `http://localhost:${first.port}/`,
    `http://[::1]:${first.port}/`,
    'file:///etc/passwd',
    'data:text/plain,x',
    `http://user:word@127.0.0.1:${second.port}/`,
    'http://[',
  ];
  for (const place of places) {
    test(place, async () => {
      const before = first.seen.length + second.seen.length;
      assert.match(
        String(await run(failing(to(place)))),
        /^TypeError: fetch failed: (host \S+ is not in fetch.allow|.* is not a URL|.* is not http or https|a URL with a user name .*)$/,
      );
      assert.equal(first.seen.length + second.seen.length, before + 1);
      assert.deepEqual(unlisted.seen, []);
    });
  }
  test('nor to a listed host with a method that is not allowed there', async () => {
    const refused = await run(failing(to(`${second.origin}/`, 307), { method: 'PUT', body: 'x' }));
    assert.match(String(refused), /^TypeError: fetch failed: PUT is not allowed for host/);
  });
  test('nor to a listed name that leads to a private address', async () => {
    const refused = await run(failing(to(`http://name.test:${first.port}/`)), resolverOf(['127.0.0.5']));
    assert.match(String(refused), /name\.test is at 127\.0\.0\.5, which is not a public address/);
  });
});

test('on the way to another host the headers of the first stay behind', async () => {
  const init = { headers: { Authorization: 'Basic own', Cookie: 'own=1', 'X-Mine': '1' } };
  await run(failing(to(`${second.origin}/end`), init));
  const [there, here] = [second.seen.at(-1)?.headers ?? {}, first.seen.at(-1)?.headers ?? {}];
  const picked = ({ authorization, cookie, ...rest }: typeof there) => [
    authorization,
    cookie,
    rest['x-mine'],
    rest['x-rule'],
    rest['x-other'],
  ];
  assert.deepEqual(picked(here), ['Basic own', 'own=1', '1', 'first-secret-1', undefined]);
  assert.deepEqual(picked(there), [undefined, undefined, '1', undefined, 'second-secret-2']);
});

test('on the way within a host they are kept', async () => {
  await run(failing(to('/end'), { headers: { Authorization: 'Basic own' } }));
  const { authorization, 'x-rule': added } = first.seen.at(-1)?.headers ?? {};
  assert.deepEqual([authorization, added], ['Basic own', 'first-secret-1']);
});
