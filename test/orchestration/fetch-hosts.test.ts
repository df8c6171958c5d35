import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { isPublic } from '../../src/orchestration/fetch/addresses.ts';
import { atEnd, wholeFile } from '../cleanup.ts';
import { testEngine } from '../engine/steps.ts';
import { cert, key } from './certificate.ts';
import { browser, failing, resolverOf, startWeb } from './web.ts';

const engine = testEngine();
const file = wholeFile();
const web = await startWeb(file);
const { port } = web;
const loopback = ['127.0.0.1'];

describe('a host that is not listed cannot be reached by any spelling of it', () => {
  const run = browser(engine, {
    allow: [
      { host: `allowed.test:${port}`, addresses: loopback },
      { host: `*.wild.test:${port}`, addresses: loopback },
    ],
  });
  const { resolver, asked } = resolverOf(loopback);
  const spellings = [
    `http://127.0.0.1:${port}/`,
    `http://2130706433:${port}/`,
    `http://0x7f000001:${port}/`,
    `http://0x7F.0.0.0x1:${port}/`,
    `http://0177.0.0.1:${port}/`,
    `http://017700000001:${port}/`,
    `http://127.1:${port}/`,
    `http://127.0.1:${port}/`,
    `http://127.0.0.1.:${port}/`,
    `http://①②⑦.⓪.⓪.①:${port}/`,
    `http://１２７.0.0.1:${port}/`,
    `http://127。0。0。1:${port}/`,
    `http://%31%32%37.0.0.1:${port}/`,
    `http://0:${port}/`,
    `http://0.0.0.0:${port}/`,
    `http://[::1]:${port}/`,
    `http://[0:0:0:0:0:0:0:1]:${port}/`,
    `http://[::]:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    `http://[::FFFF:7f00:1]:${port}/`,
    `http://[0:0:0:0:0:ffff:7f00:0001]:${port}/`,
    `http://[::127.0.0.1]:${port}/`,
    `http://[64:ff9b::7f00:1]:${port}/`,
    `http://[2002:7f00:1::]:${port}/`,
    `http://[fe80::1%25lo]:${port}/`,
    `http://[::1%25lo]:${port}/`,
    `http://localhost:${port}/`,
    `http://LOCALHOST:${port}/`,
    `http://localhost.:${port}/`,
    `http://a.localhost:${port}/`,
    `http://loc\u00adalhost:${port}/`,
    `http://ʟocalhost:${port}/`,
    `http://allowed.test@127.0.0.1:${port}/`,
    `http://allowed.test:${port}@127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}#@allowed.test:${port}/`,
    `http://127.0.0.1:${port}?@allowed.test:${port}/`,
    `http://127.0.0.1:${port}\\@allowed.test:${port}/`,
    `http:127.0.0.1:${port}/`,
    `http:///127.0.0.1:${port}/`,
    `http:\\\\127.0.0.1:${port}\\`,
    `ht\ntp://127.0.\t0.1:${port}/`,
    `  http://127.0.0.1:${port}/  `,
    `//127.0.0.1:${port}/`,
    `http://allowed.test.evil.test:${port}/`,
    `http://evilallowed.test:${port}/`,
    `http://allowed.test..:${port}/`,
    `http://.allowed.test:${port}/`,
    `http://allowed.test%00.evil.test:${port}/`,
    `http://wild.test:${port}/`,
    `http://evilwild.test:${port}/`,
    `http://*.wild.test:${port}/`,
    `http://allowed.test:${port + 1}/`,
    'http://allowed.test/',
    `https://127.0.0.1:${port}/`,
    `ftp://allowed.test:${port}/`,
    `ws://allowed.test:${port}/`,
    'data:text/plain,hi',
    'about:blank',
    'file:///etc/passwd',
    'javascript:1',
    `blob:http://allowed.test:${port}/x`,
  ];
  for (const spelling of spellings) {
    test(JSON.stringify(spelling), async () => {
      const failure = String(await run(failing(spelling), { resolver }));
      assert.match(
        failure,
        /^TypeError: fetch failed: (host \S+ is not in fetch\.allow|".*" is not a URL|".*" is not http or https|a URL with a user name .* is not taken)$/,
      );
      assert.deepEqual([web.seen, asked], [[], []], 'nothing has left, not even a question for the name');
    });
  }
});

describe('a host that is listed is reached by every spelling of it', () => {
  const asked = async (host: string, url: string, addresses: string[] = []) => {
    const run = browser(engine, { allow: [{ host, addresses }] });
    return run(`const r = await fetch(${JSON.stringify(url)}); (await r.json()).headers.host`, resolverOf(loopback));
  };
  const pairs: [listed: string, url: string, host: string][] = [
    [`127.0.0.1:${port}`, `http://0x7f.1:${port}/`, `127.0.0.1:${port}`],
    [`127.0.0.1:${port}`, `http://[::ffff:127.0.0.1]:${port}/`, `127.0.0.1:${port}`],
    [`[::ffff:7f00:1]:${port}`, `http://127.0.0.1:${port}/`, `127.0.0.1:${port}`],
    [`localhost:${port}`, `http://LocalHost.:${port}/`, `localhost:${port}`],
    [`*.localhost:${port}`, `http://a.localhost:${port}/`, `a.localhost:${port}`],
    [`Bücher.test:${port}`, `http://BÜCHER.TEST:${port}/`, `xn--bcher-kva.test:${port}`],
    [`xn--bcher-kva.test:${port}`, `http://bücher.test:${port}/`, `xn--bcher-kva.test:${port}`],
    [`http://api.test:${port}`, `http://api.test.:${port}/`, `api.test:${port}`],
    [`*.api.test:${port}`, `http://a.b.api.test:${port}/`, `a.b.api.test:${port}`],
  ];
  for (const [listed, url, host] of pairs) {
    test(`${listed}: ${url}`, async () => assert.equal(await asked(listed, url, loopback), host));
  }
  test('https:// in a rule does not allow http', async () => {
    assert.match(
      String(await browser(engine, { allow: [{ host: `https://127.0.0.1:${port}` }] })(failing(web.origin))),
      /not in fetch\.allow/,
    );
  });
});

describe('a listed name is no way to addresses that are not public', () => {
  const run = browser(engine, {
    allow: [{ host: `api.test:${port}` }, { host: `own.test:${port}`, addresses: ['127.0.0.0/30', '::1'] }],
  });
  for (const address of [
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '10.0.0.5',
    '169.254.169.254',
    '0.0.0.0',
    'fd00::1',
    '100.100.100.200',
  ]) {
    test(`a name that leads to ${address}`, async () => {
      const before = web.seen.length;
      const failure = await run(failing(`http://api.test:${port}/`), resolverOf([address]));
      assert.equal(
        failure,
        `TypeError: fetch failed: host api.test is at ${address}, which is not a public address; the owner can list it under \`addresses\` of the host's rule`,
      );
      assert.equal(web.seen.length, before);
    });
  }
  test('an address of the rule, and none beside it', async () => {
    assert.match(String(await run(failing(`http://own.test:${port}/`), resolverOf(['127.0.0.1']))), /^answered 200/);
    assert.match(
      String(await run(failing(`http://own.test:${port}/`), resolverOf(['::ffff:127.0.0.1']))),
      /^answered 200/,
    );
    assert.match(
      String(await run(failing(`http://own.test:${port}/`), resolverOf(['127.0.0.4']))),
      /127\.0\.0\.4, which is not a public/,
    );
  });
  test('of many addresses only those that are allowed are connected to', async () => {
    const other = await startWeb(file, {}, { host: '127.0.0.9', port });
    const answer = await run(failing(`http://own.test:${port}/`), resolverOf(['127.0.0.9', '10.1.2.3', '127.0.0.1']));
    assert.match(String(answer), /^answered 200/);
    assert.deepEqual(other.seen, []);
  });
  test('a name without an address, and one that nobody knows', async () => {
    assert.match(
      String(await run(failing(`http://api.test:${port}/`), resolverOf([]))),
      /host api\.test has no address$/,
    );
    const resolver = () => Promise.reject(new Error('getaddrinfo ENOTFOUND api.test'));
    assert.equal(
      await run(failing(`http://api.test:${port}/`), { resolver }),
      'TypeError: fetch failed: getaddrinfo ENOTFOUND api.test',
    );
  });
});

test('a name that is bound to another address after the check is not followed there', async () => {
  const other = await startWeb(file, {}, { host: '127.0.0.2', port });
  const run = browser(engine, { allow: [{ host: `rebind.test:${port}`, addresses: ['127.0.0.1'] }] });
  const { resolver, asked } = resolverOf(['127.0.0.1'], ['127.0.0.2'], ['127.0.0.2']);
  const once = failing(`http://rebind.test:${port}/`);
  assert.match(String(await run(once, { resolver })), /^answered 200/);
  assert.deepEqual(asked, ['rebind.test'], 'it is asked once, and the answer is what is connected to');
  assert.match(String(await run(once, { resolver })), /rebind\.test is at 127\.0\.0\.2, which is not a public address/);
  assert.deepEqual(other.seen, []);
});

test('addresses are public or not', () => {
  const closed =
    '0.0.0.0 0.1.2.3 10.0.0.0 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.255 169.254.0.1 169.254.169.254 ' +
    '172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.1 192.168.255.255 198.18.0.1 198.19.255.255 ' +
    '198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 168.63.129.16 ' +
    ':: ::1 ::ffff:10.0.0.1 ::ffff:a9fe:a9fe ::127.0.0.1 64:ff9b::a00:1 64:ff9b:1::1 100::1 2001::1 2001:db8::1 2002:a00:1::1 ' +
    '3fff::1 fc00::1 fd00:ec2::254 fe80::1 febf::1 fec0::1 ff02::1 5f00::1';
  for (const address of closed.split(' ')) assert.equal(isPublic(address), false, address);
  const open =
    '1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.0.0.1 128.0.0.1 169.253.0.1 172.15.0.1 172.32.0.1 ' +
    '192.167.1.1 192.169.0.1 198.17.0.1 223.255.255.255 ::ffff:8.8.8.8 2606:4700:4700::1111 2001:4860:4860::8888 2a00:1450::1';
  for (const address of open.split(' ')) assert.equal(isPublic(address), true, address);
});

test('over https the certificate must be that of the name, whatever the address', async () => {
  const secure = await startWeb(file, {}, { tls: { cert, key } });
  const hosts = ['api.test', 'other.test'];
  const run = browser(engine, {
    allow: hosts.map((host) => ({ host: `${host}:${secure.port}`, addresses: loopback })),
  });
  const ask = (host: string) => run(failing(`https://${host}:${secure.port}/`), resolverOf(loopback));
  assert.match(String(await ask('api.test')), /^TypeError: fetch failed: .*certificate/);
  const before = getCACertificates('default');
  atEnd(file, () => setDefaultCACertificates(before));
  setDefaultCACertificates([...before, cert]);
  assert.match(String(await ask('api.test')), new RegExp(`^answered 200 .*"host":"api\\.test:${secure.port}"`));
  assert.match(String(await ask('other.test')), /^TypeError: fetch failed: Hostname\/IP does not match certificate/);
});
