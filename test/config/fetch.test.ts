import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostPattern } from '../../src/config/host-pattern.ts';
import { loadConfig } from '../../src/config/load.ts';

const load = (fetch: unknown) =>
  loadConfig({ flags: { data_dir: '/nonexistent' }, environment: { CAY_FETCH: JSON.stringify(fetch) } }).fetch;

test('a rule needs only a host', () => {
  assert.deepEqual(load({ allow: [{ host: 'api.example.com' }] }), {
    allow: [{ host: 'api.example.com', methods: ['GET', 'HEAD'], headers: {}, addresses: [] }],
    max_bytes: 8 * 2 ** 20,
    max_request_bytes: 2 ** 20,
    timeout_ms: 30_000,
  });
});

const refused: [fetch: unknown, message: string | RegExp][] = [
  [{ allow: 'api.example.com' }, 'fetch.allow: expected an array, got "api.example.com"'],
  [
    { allow: ['a.com'] },
    'fetch.allow.0: expected a rule such as {"host": "api.example.com", "methods": ["GET"]}, got "a.com"',
  ],
  [{ allow: [{ host: '*' }] }, /^fetch\.allow\.0\.host: expected a host such as .*, got "\*"$/],
  [{ allow: [{ host: 'https://a.com/path' }] }, /^fetch\.allow\.0\.host: expected a host/],
  [{ allow: [{ host: '10.0.0.0/8' }] }, /^fetch\.allow\.0\.host: expected a host/],
  [
    { allow: [{ host: 'a.com', methods: ['get'] }] },
    /^fetch\.allow\.0\.methods\.0: expected one of "GET", .*, got "get"$/,
  ],
  [{ allow: [{ host: 'a.com', methods: ['TRACE'] }] }, /^fetch\.allow\.0\.methods\.0: expected one of/],
  [{ allow: [{ host: 'a.com', method: ['GET'] }] }, 'fetch.allow.0.method: unknown, did you mean "methods"?'],
  [
    { allow: [{ host: 'a.com', headers: { Host: 'b.com' } }] },
    /^fetch\.allow\.0\.headers\.Host: its name: not a header that can be added$/,
  ],
  [{ allow: [{ host: 'a.com', headers: { 'a b': 'c' } }] }, /^fetch\.allow\.0\.headers\.a b: its name: /],
  [
    { allow: [{ host: 'a.com', addresses: ['10.0.0.0/33'] }] },
    /^fetch\.allow\.0\.addresses\.0: expected an IP address or a range/,
  ],
  [
    { allow: [{ host: 'a.com', addresses: ['localhost'] }] },
    /^fetch\.allow\.0\.addresses\.0: expected an IP address or a range/,
  ],
  [
    { allow: [{ host: 'a.com', max_bytes: 0 }] },
    'fetch.allow.0.max_bytes: expected a whole number from 1 to 67108864, got 0',
  ],
  [{ timeout_ms: 300_001 }, 'fetch.timeout_ms: expected a whole number from 1 to 300000, got 300001'],
  [{ alow: [] }, 'fetch.alow: unknown, did you mean "allow"?'],
];

for (const [fetch, message] of refused) {
  test(`refused: ${JSON.stringify(fetch)}`, () => {
    assert.throws(
      () => load(fetch),
      (error: Error) => {
        const text = error.message.replace(' (CAY_FETCH)', '');
        if (typeof message === 'string') assert.equal(text, message);
        else assert.match(text, message);
        return true;
      },
    );
  });
}

test('hosts have one spelling', () => {
  const spelled = (text: string) => {
    const { scheme, host, isWildcard, port } = hostPattern(text) ?? {};
    return [scheme, isWildcard, host, port];
  };
  assert.deepEqual(spelled('API.Example.com.'), [null, false, 'api.example.com', null]);
  assert.deepEqual(spelled('*.Bücher.example:443'), [null, true, 'xn--bcher-kva.example', 443]);
  assert.deepEqual(spelled('http://example.com:80'), ['http', false, 'example.com', 80]);
  assert.deepEqual(spelled('HTTPS://example.com'), ['https', false, 'example.com', null]);
  assert.deepEqual(spelled('0x7f.1:8080'), [null, false, '127.0.0.1', 8080]);
  assert.deepEqual(spelled('::1'), [null, false, '::1', null]);
  assert.deepEqual(spelled('[::FFFF:1.2.3.4]:81'), [null, false, '1.2.3.4', 81]);
  for (const wrong of [
    '',
    '*',
    '*.',
    '*.1.2.3.4',
    'a b',
    'a/b',
    'a?b',
    'a#b',
    'u@a',
    'a*.com',
    'ftp://a.com',
    'a:99999',
    '[::1',
    '.',
  ]) {
    assert.equal(hostPattern(wrong), null, wrong);
  }
});
