import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallRecorder } from '../../src/orchestration/tool-calls.ts';
import { wholeFile } from '../cleanup.ts';
import { testEngine } from '../engine/steps.ts';
import { browser, failing, resolverOf, startWeb } from './web.ts';

const engine = testEngine();
const file = wholeFile();
const secret = 'ghs_Zm9vYmFy+/"0123';
const web = await startWeb(file, {
  '/echo': ({ headers }, response) => {
    const { authorization = '' } = headers;
    const elsewhere = {
      'X-Echo': authorization,
      'X-Part': authorization.slice(7),
      Location: `/?t=${encodeURIComponent(authorization.slice(7))}`,
    };
    response
      .writeHead(200, `OK`, elsewhere)
      .end(`${JSON.stringify(headers)} ${authorization} ${encodeURIComponent(secret)} é`);
  },
  '/binary': ({ headers }, response) =>
    response.end(Buffer.concat([Buffer.from([255, 0]), Buffer.from(headers.authorization ?? '')])),
});
const host = `127.0.0.1:${web.port}`;
const settings = {
  allow: [
    {
      host,
      methods: ['GET', 'POST'],
      headers: { Authorization: 'Bearer ${TOKEN}', 'X-Api-Version': '2022-11-28' },
    },
  ],
};
const run = browser(engine, settings, { TOKEN: secret });

test('headers of a rule reach the host, and win over those of the code', async () => {
  await run(failing(`${web.origin}/`, { headers: { authorization: 'mine', 'X-API-version': '1', 'X-Own': 'kept' } }));
  const { authorization, 'x-api-version': version, 'x-own': own } = web.seen.at(-1)?.headers ?? {};
  assert.deepEqual([authorization, version, own], [`Bearer ${secret}`, '2022-11-28', 'kept']);
});

test('code sees them nowhere: not in what it made, not in what it gets, not when the host sends them back', async () => {
  const code = `const init = { headers: new Headers({ a: 'b' }) };
    const seen = [];
    for (const path of ['/echo', '/binary', '/']) {
      const r = await fetch('${web.origin}' + path, init);
      seen.push([...r.headers], r.url, r.statusText, String.fromCharCode(...await r.bytes()));
    }
    seen.push([...init.headers], Object.getOwnPropertyNames(globalThis), fetch.toString());
    try { await fetch('${web.origin}/', { method: 'DELETE' }) } catch (e) { seen.push(e.message, e.stack, Object.keys(e)) }
    JSON.stringify(seen)`;
  const seen = String(await run(code));
  assert.match(seen, /\[redacted\]/);
  for (const spelling of [
    secret,
    secret.slice(0, 12),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ]) {
    assert.equal(seen.includes(spelling), false, spelling);
  }
});

test('what is no secret is left alone', async () => {
  const code = `const { headers } = await (await fetch('${web.origin}/', { headers: { 'X-Date': '2022-11-28' } })).json(); [headers['x-date'], headers['x-api-version']]`;
  assert.deepEqual(await run(code), ['2022-11-28', '2022-11-28']);
});

test('a variable that is not set stops its own rule alone', async () => {
  const other = await startWeb(file);
  const both = browser(engine, { allow: [...settings.allow, { host: `127.0.0.1:${other.port}` }] }, {});
  assert.equal(
    await both(failing(`${web.origin}/`)),
    `TypeError: fetch failed: the rule for host ${host} in fetch.allow needs TOKEN, which is not set in the environment`,
  );
  assert.match(String(await both(failing(`${other.origin}/`))), /^answered 200/);
});

test('a value that no header can carry stops its rule, and is not shown', async () => {
  const broken = browser(engine, settings, { TOKEN: 'line\nbreak' });
  assert.match(
    String(await broken(failing(`${web.origin}/`))),
    /has a header authorization with a character that cannot be sent$/,
  );
  const trimmed = browser(engine, settings, { TOKEN: `${secret}\n` });
  assert.match(String(await trimmed(failing(`${web.origin}/`))), /^answered 200/);
});

test('over plain http they go only where the rule says http, or to this machine', async () => {
  const rule = (name: string) => ({ host: name, addresses: ['127.0.0.1'], headers: { 'X-Key': 'k-123456' } });
  const ask = (name: string) =>
    browser(engine, { allow: [rule(name)] })(failing(`http://api.test:${web.port}/`), resolverOf(['127.0.0.1']));
  const before = web.seen.length;
  assert.equal(
    await ask(`api.test:${web.port}`),
    `TypeError: fetch failed: host api.test:${web.port} has headers in fetch.allow that are sent over https only: use https://`,
  );
  assert.equal(web.seen.length, before);
  assert.match(String(await ask(`http://api.test:${web.port}`)), /^answered 200/);
});

test('the owner sees every request, without headers and bodies', async () => {
  const kept: unknown[] = [];
  const record: CallRecorder = {
    begin: (call) => {
      kept.push(call);
      return (ending) => kept.push(ending);
    },
  };
  await run(failing(`${web.origin}/a?b`, { method: 'POST', body: 'four' }), { record });
  await run(failing('http://example.com/'), { record });
  assert.deepEqual(kept, [
    { server: 'fetch', tool: 'POST', arguments: `{"url":"${web.origin}/a?b","body_bytes":4}` },
    {
      outcome: 'ok',
      result: `{"status":200,"url":"${web.origin}/a?b","body_bytes":${Object(kept[1]).result.match(/body_bytes":(\d+)/)?.[1]}}`,
    },
    { server: 'fetch', tool: 'GET', arguments: '{"url":"http://example.com/"}' },
    { outcome: 'refused', code: 'FETCH_REFUSED', message: 'fetch failed: host example.com is not in fetch.allow' },
  ]);
  assert.equal(JSON.stringify(kept).includes(secret), false);
});
