import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { fetchSchema } from '../../src/config/fetch.ts';
import { fetchFunctions } from '../../src/orchestration/fetch/functions.ts';
import { fetchRules } from '../../src/orchestration/fetch/rules.ts';
import { wholeFile } from '../cleanup.ts';
import { testEngine } from '../engine/steps.ts';
import { type Answer, browser, failing, startWeb } from './web.ts';

const engine = testEngine();
const file = wholeFile();
const zeros = Buffer.alloc(64 * 2 ** 20);
const gzipBomb = gzipSync(zeros);
const bombs = {
  gzip: gzipBomb,
  br: brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } }),
  'gzip, gzip': gzipSync(gzipBomb),
};

const forever: Answer = (_, response) => {
  const piece = Buffer.alloc(64 * 1024, 'x');
  const write = () => {
    while (response.writable && response.write(piece));
    response.once('drain', write);
  };
  write();
};
const held = { now: 0, most: 0 };
const release: (() => void)[] = [];

const web = await startWeb(file, {
  '/exactly': ({ path }, response) => response.end('x'.repeat(Number(path.split('?')[1]))),
  '/claims': (_, response) => response.writeHead(200, { 'Content-Length': '999999999' }).write('x'),
  '/forever': forever,
  '/bomb': ({ path }, response) => {
    const encoding = decodeURIComponent(path.split('?')[1] ?? '');
    response.writeHead(200, { 'Content-Encoding': encoding }).end(Object(bombs)[encoding]);
  },
  '/thrice': (_, response) => response.writeHead(200, { 'Content-Encoding': 'gzip, gzip, gzip' }).end('x'),
  '/corrupt': (_, response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('this is not gzip'),
  '/never': () => {},
  '/drip': (_, response) => {
    const timer = setInterval(() => response.write('x'), 20);
    response.once('close', () => clearInterval(timer));
  },
  '/cut': (_, response) => {
    response.writeHead(200, { 'Content-Length': '100' }).write('only this', () => response.destroy());
  },
  '/hang-up': (_, response) => response.destroy(),
  '/switch': (_, response) => {
    response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n');
  },
  '/hints': (_, response) => {
    response.writeEarlyHints({ link: '</x>; rel=preload' });
    response.end('after the hints');
  },
  '/many-headers': (_, response) => response.writeHead(200, { 'X-Long': 'y'.repeat(100_000) }).end(),
  '/held': (_, response) => {
    held.most = Math.max(held.most, ++held.now);
    release.push(() => {
      held.now--;
      response.end('held');
    });
    if (release.length >= 8) for (const let_go of release.splice(0)) let_go();
  },
});
const host = `127.0.0.1:${web.port}`;
const limits = { max_bytes: 1000, timeout_ms: 400 };
const run = browser(engine, { allow: [{ host, methods: ['GET', 'POST'], ...limits }], max_request_bytes: 5000 });
const tooLarge = 'TypeError: fetch failed: the response has more than 1000 bytes (max_bytes in fetch.allow)';
const tooLate = `TypeError: fetch failed: no complete answer from ${host} within 400 ms`;

describe('an answer is bounded in size', () => {
  test('as many bytes as are allowed, and one more', async () => {
    assert.equal(await run(failing(`${web.origin}/exactly?1000`)), `answered 200 ${'x'.repeat(1000)}`);
    assert.equal(await run(failing(`${web.origin}/exactly?1001`)), tooLarge);
  });
  test('one that only claims to be large is not read', async () => {
    assert.equal(await run(failing(`${web.origin}/claims`)), tooLarge);
  });
  test('one without end is ended', async () => {
    assert.equal(await run(failing(`${web.origin}/forever`)), tooLarge);
  });
  for (const encoding of Object.keys(bombs)) {
    test(`64 MiB in a few bytes of ${encoding}`, async () => {
      const small = browser(engine, { allow: [{ host }] });
      const failure = await small(failing(`${web.origin}/bomb?${encodeURIComponent(encoding)}`));
      assert.equal(
        failure,
        'TypeError: fetch failed: the response has more than 8388608 bytes (max_bytes in fetch.allow)',
      );
    });
  }
  test('one that is compressed over and over', async () => {
    assert.match(String(await run(failing(`${web.origin}/thrice`))), /the response is compressed 3 times over$/);
  });
});

describe('an answer is bounded in time', () => {
  for (const path of ['/never', '/drip']) {
    test(path, async () => assert.equal(await run(failing(web.origin + path)), tooLate));
  }
  test('a name that nobody answers for', async () => {
    const named = browser(engine, { allow: [{ host: 'slow.test', timeout_ms: 200 }] });
    const resolver = () => new Promise<never>(() => {});
    assert.equal(
      await named(failing('http://slow.test/'), { resolver }),
      'TypeError: fetch failed: no complete answer from slow.test within 200 ms',
    );
  });
});

test('a request is bounded in size', async () => {
  const init = (size: number) => ({ method: 'POST', body: 'x'.repeat(size) });
  assert.match(String(await run(failing(web.origin, init(500)))), /^answered 200/);
  assert.equal(
    await run(failing(web.origin, init(5001))),
    'TypeError: fetch failed: the body has 5001 bytes, more than the 5000 of fetch.max_request_bytes',
  );
  assert.match(
    String(
      await run(
        `try { await fetch('${web.origin}', { method: 'POST', body: 'x'.repeat(2 ** 21) }) } catch (e) { e.message }`,
      ),
    ),
    /too large/,
  );
});

describe('what goes wrong on the way is an error that says so', () => {
  const failures: Record<string, RegExp> = {
    '/cut': /^TypeError: fetch failed: aborted$/,
    '/hang-up': /^TypeError: fetch failed: socket hang up$/,
    '/corrupt': /^TypeError: fetch failed: incorrect header check$/,
    '/switch': /^TypeError: fetch failed: the server wants to speak another protocol$/,
    '/many-headers': /^TypeError: fetch failed: .*Header/i,
  };
  for (const [path, message] of Object.entries(failures)) {
    test(path, async () => assert.match(String(await run(failing(web.origin + path))), message));
  }
  test('early hints are no answer yet', async () => {
    assert.equal(await run(failing(`${web.origin}/hints`)), 'answered 200 after the hints');
  });
  test('nobody listens', async () => {
    const nobody = browser(engine, { allow: [{ host: '127.0.0.1:1' }, { host: 'localhost:1' }] });
    assert.equal(
      await nobody(failing('http://127.0.0.1:1/')),
      'TypeError: fetch failed: connect ECONNREFUSED 127.0.0.1:1',
    );
    assert.match(String(await nobody(failing('http://localhost:1/'))), /ECONNREFUSED/);
  });
});

test('of one run only so many requests are on the way at once', async () => {
  const slow = browser(engine, { allow: [{ host }] });
  const code = `(await Promise.all(Array.from({ length: 40 }, async () => (await fetch('${web.origin}/held')).text()))).length`;
  assert.equal(await slow(code), 40);
  assert.equal(held.most, 8);
});

describe('a request ends with whoever wanted it', () => {
  const functions = () => fetchFunctions(fetchRules(fetchSchema.parse({ allow: [{ host, timeout_ms: 60_000 }] }), {}));
  const wait = `await fetch('${web.origin}/never')`;

  test('with a run that is cancelled', async () => {
    const stop = new AbortController();
    let asked = 0;
    const own = await startWeb(file, { '/never': () => void (++asked === 2 && stop.abort()) });
    const settings = fetchSchema.parse({ allow: [{ host: `127.0.0.1:${own.port}` }] });
    const outcome = await engine.run({
      source: `await Promise.all([1, 2].map(() => fetch('${own.origin}/never')))`,
      functions: fetchFunctions(fetchRules(settings, {})),
      keepHeap: false,
      signal: stop.signal,
    });
    assert.equal(outcome.kind, 'cancelled');
    await own.closed(2);
  });

  test('with a run that is out of time', async () => {
    const outcome = await engine.run({ source: wait, functions: functions(), keepHeap: false, timeoutMs: 200 });
    assert.equal(outcome.kind, 'timed_out');
  });

  test('with its signal', async () => {
    const own = await startWeb(file, { '/never': () => {} });
    const code = `const results = await Promise.allSettled([fetch('${own.origin}/never', { signal: AbortSignal.timeout(50) }), fetch('${own.origin}/')]);
      results.map((r) => r.reason?.name ?? r.value.status)`;
    const started = performance.now();
    assert.deepEqual(await browser(engine, { allow: [{ host: `127.0.0.1:${own.port}` }] })(code), [
      'TimeoutError',
      200,
    ]);
    await own.closed(2);
    assert.ok(performance.now() - started < 5000);
  });
});
