import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { atEnd, temporaryFolder, wholeFile } from '../cleanup.ts';
import { startServer } from '../server/running.ts';
import { cay, cayOnTerminal } from './cay.ts';

const cleanup = wholeFile();
const server = await startServer(cleanup, { args: ['--auth-token', 'secret'] });
const port = Number(new URL(server.url).port);
const token = { CAY_AUTH_TOKEN: 'secret' };

function folderWith(t: TestContext, config: object): string[] {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  return ['--data-dir', folder];
}

/** Whoever asks this address only shows what it brings. */
async function listener(t: TestContext) {
  const seen: (string | undefined)[] = [];
  const listening = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.setHeader('content-type', 'application/json').end('{"sessions": []}');
  }).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  atEnd(t, () => listening.close());
  const address = listening.address();
  return { seen, url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}` };
}

describe('which server is asked', { concurrency: 3 }, () => {
  test('that of --url, with the token of --auth-token or CAY_AUTH_TOKEN', async () => {
    assert.equal((await cay(['sessions', '--url', server.url, '--auth-token', 'secret'])).code, 0);
    assert.equal((await cay(['sessions', '--url', server.url], '', token)).code, 0);
    assert.equal((await cay(['sessions', '--url', `${server.url}/`], '', token)).code, 0);
  });

  test('that of CAY_URL', async () => {
    assert.equal((await cay(['sessions'], '', { ...token, CAY_URL: server.url })).code, 0);
  });

  test('that of the settings, with their token', async (t) => {
    const where = folderWith(t, { http_port: port, auth_token: 'secret' });
    assert.equal((await cay(['sessions', ...where])).code, 0);
    const sse = folderWith(t, { sse_port: port, auth_token: 'secret' });
    assert.equal((await cay(['sessions', ...sse])).code, 0);
  });

  test('--url wins over CAY_URL, and that over the settings', async (t) => {
    const where = folderWith(t, { http_port: 1 });
    const env = { ...token, CAY_URL: 'http://127.0.0.1:1' };
    assert.equal((await cay(['sessions', '--url', server.url, ...where], '', env)).code, 0);
    assert.equal((await cay(['sessions', ...where], '', { ...token, CAY_URL: server.url })).code, 0);
  });

  test('a token of the settings goes to no other server', async (t) => {
    const { seen, url } = await listener(t);
    const where = folderWith(t, { http_port: port, auth_token: 'secret' });
    await cay(['sessions', '--url', url, ...where]);
    await cay(['sessions', ...where], '', { CAY_URL: url });
    assert.deepEqual(seen, [undefined, undefined]);
  });

  test('audit and runtime heed CAY_URL too', async () => {
    const env = { CAY_URL: 'http://127.0.0.1:1' };
    for (const args of [
      ['audit', 'list'],
      ['audit', 'verify'],
      ['runtime', 'list'],
      ['runtime', 'query', 'x', 'y'],
    ]) {
      const { code, stderr } = await cay(args, '', env);
      assert.equal(code, 1);
      assert.match(stderr, /^cay: Cannot reach a Cay server at http:\/\/127\.0\.0\.1:1: /);
    }
    assert.equal((await cay(['audit', 'verify'], '', { ...token, CAY_URL: server.url })).code, 0);
  });

  test('one behind a path of a proxy', async (t) => {
    const { url } = await listener(t);
    assert.equal((await cay(['sessions', '--url', `${url}/cay/`])).code, 0);
  });
});

describe('when it cannot be asked', { concurrency: 3 }, () => {
  test('no server is there: what to do', async (t) => {
    const where = folderWith(t, { http_port: 1 });
    const { code, stdout, stderr } = await cay(['exec', '-e', '1', ...where]);
    assert.deepEqual([code, stdout], [1, '']);
    assert.equal(
      stderr,
      'cay: Cannot reach a Cay server at http://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1, and no server with a ' +
        `port has the data folder ${where[1]}. ` +
        'Start one with `cay serve --http-port 1`, or name another one with --url or CAY_URL\n',
    );
  });

  test('a token is missing or wrong', async () => {
    for (const args of [[], ['--auth-token', 'wrong']]) {
      const { code, stderr } = await cay(['executions', '--url', server.url, ...args]);
      assert.equal(code, 1);
      assert.match(stderr, /bearer token.*--auth-token or CAY_AUTH_TOKEN\n$/);
    }
  });

  test('something else is there', async (t) => {
    const { url } = await listener(t);
    const { code, stderr } = await cay(['executions', '--url', url]);
    assert.deepEqual([code, stderr.includes('the server is no Cay, or one of another version')], [1, true]);
  });

  test('the settings are wrong', async (t) => {
    const where = folderWith(t, { http_port: 'x' });
    const { code, stderr } = await cay(['executions', ...where]);
    const message = `cay: http_port (${where[1]}/config.json): expected a whole number from 0 to 65535, got "x"\n`;
    assert.deepEqual([code, stderr], [2, message]);
    const shown = cayOnTerminal(t, ['executions', ...where], { columns: 200 });
    await shown.ended;
    assert.equal(shown.text.replaceAll('\r\n', '\n'), message);
    assert.equal((await cay(['executions', '--url', server.url, ...where], '', token)).code, 0, 'they do not matter');
  });
});
