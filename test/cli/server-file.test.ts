import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { localUrl, serverOf, usualUrl } from '../../src/cli/remote.ts';
import { notedServer } from '../../src/cli/server-file.ts';
import { atEnd, temporaryFolder, wholeFile } from '../cleanup.ts';
import { startServer } from '../server/running.ts';
import { Cay, cay, cayOnTerminal, main } from './cay.ts';

const cleanup = wholeFile();
const server = await startServer(cleanup, { args: ['--auth-token', 'secret'] });
const token = { CAY_AUTH_TOKEN: 'secret' };
const nobody = { CAY_HTTP_PORT: '1' };

const noteOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'server.json'), 'utf8'));

/** A folder with a file like that of a server, which is none. */
function folderWithNote(t: TestContext, note: object): string {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'server.json'), JSON.stringify({ ...noteOf(server.folder), data_dir: folder, ...note }));
  return folder;
}

describe('a server on any port is found by its data folder', { concurrency: 3 }, () => {
  test('by commands that ask a server, with --data-dir or CAY_DATA_DIR', async () => {
    const where = ['--data-dir', server.folder];
    const ran = await cay(['exec', '-e', '6 * 7', '--json', ...where], '', token);
    assert.equal(ran.code, 0, ran.stderr);
    const { execution_id, result } = JSON.parse(ran.stdout);
    assert.equal(result, '42');
    assert.equal((await cay(['output', execution_id, ...where], '', token)).code, 0);
    assert.equal((await cay(['executions'], '', { ...token, CAY_DATA_DIR: server.folder })).code, 0);
  });

  test('on a terminal too', async (t) => {
    const args = ['exec', '-e', '6 * 7', '--data-dir', server.folder, '--auth-token', 'secret'];
    const shown = cayOnTerminal(t, args);
    assert.equal((await shown.ended).code, 0, shown.text);
    assert.match(shown.text, /^42\r?$/m);
  });

  test('with nothing said at all, where both use the usual folder; and the welcome has nothing to add', async (t) => {
    const env = { HOME: temporaryFolder(t) };
    const serving = new Cay(process.execPath, [main, 'serve', '--http-port', '0'], { env });
    atEnd(t, async () => {
      serving.interrupt('SIGTERM');
      await serving.ended;
    });
    await serving.seen(/Ctrl-C ends it/);
    assert.doesNotMatch(serving.stdout, /CAY_URL/);
    assert.deepEqual(await cay(['exec', '-e', '1 + 1'], '', env), { code: 0, stdout: '2\n', stderr: '' });
  });

  test('also one that listens for the legacy SSE transport only', async (t) => {
    const { folder, url } = await startServer(t, { ports: ['--sse-port', '0'] });
    assert.equal(noteOf(folder).url, url);
    assert.equal((await cay(['exec', '-e', '1', '--data-dir', folder])).code, 0);
  });

  test('--url and CAY_URL win over it, and it over the port of the settings', async () => {
    const where = ['--data-dir', server.folder];
    const dead = 'http://127.0.0.1:1';
    assert.equal((await cay(['sessions', ...where], '', { ...token, ...nobody })).code, 0);
    assert.match((await cay(['sessions', ...where, '--url', dead], '', token)).stderr, /at http:\/\/127\.0\.0\.1:1:/);
    const named = await cay(['sessions', ...where], '', { ...token, CAY_URL: dead });
    assert.match(named.stderr, /at http:\/\/127\.0\.0\.1:1: connect ECONNREFUSED 127\.0\.0\.1:1\. Start one/);
  });
});

describe('the file', { concurrency: 3 }, () => {
  test("is its owner's alone, has no token, and goes when the server ends", async (t) => {
    const { folder, url, process: child, stop } = await startServer(t, { args: ['--auth-token', 'secret'] });
    const file = join(folder, 'server.json');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const { began, ...note } = noteOf(folder);
    assert.deepEqual(note, { url, pid: child.pid, data_dir: folder });
    assert.doesNotMatch(readFileSync(file, 'utf8'), /secret/);
    assert.equal(await stop(), 0);
    const left = readdirSync(folder).filter((name) => name.includes('server.json'));
    assert.deepEqual(left, []);
  });

  test('of a server that was killed does no harm, and the next server has its own', async (t) => {
    const killed = await startServer(t);
    const { folder } = killed;
    killed.process.kill('SIGKILL');
    await once(killed.process, 'close');
    assert.ok(existsSync(join(folder, 'server.json')));
    const { code, stderr } = await cay(['exec', '-e', '1', '--data-dir', folder], '', nobody);
    assert.equal(code, 1);
    assert.equal(
      stderr,
      'cay: Cannot reach a Cay server at http://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1, and no server with a ' +
        `port has the data folder ${folder}. ` +
        'Start one with `cay serve --http-port 1`, or name another one with --url or CAY_URL\n',
    );
    await startServer(t, { folder });
    assert.equal((await cay(['exec', '-e', '1', '--data-dir', folder], '', nobody)).code, 0);
  });

  test('stays that of the first server, where a second one is refused the folder', async () => {
    const before = noteOf(server.folder);
    const second = await cay(['serve', '--http-port', '0', '--data-dir', server.folder]);
    assert.deepEqual([second.code, /Another Cay server uses/.test(second.stderr)], [2, true]);
    assert.deepEqual(noteOf(server.folder), before);
  });

  test('leads nowhere when it is not of a server that has this folder now, and no token goes there', async (t) => {
    const seen: unknown[] = [];
    const listening = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(listening, 'listening');
    atEnd(t, () => listening.close());
    const address = listening.address();
    const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    const copy = temporaryFolder(t);
    copyFileSync(join(server.folder, 'server.json'), join(copy, 'server.json'));
    const broken = temporaryFolder(t);
    writeFileSync(join(broken, 'server.json'), '{"url": "');
    const reused = folderWithNote(t, { url, pid: process.pid }); // the number was given to another process
    const gone = folderWithNote(t, { url, pid: 2 ** 30, began: null });
    const unproven = folderWithNote(t, { url, pid: 1, began: null });
    const other = folderWithNote(t, { url, pid: 'x' });
    for (const folder of [reused, gone, unproven, other, copy, broken]) assert.equal(notedServer(folder), null);
    assert.equal(notedServer(server.folder), server.url);
    const { stderr } = await cay(['sessions', '--data-dir', reused], '', { ...token, ...nobody });
    assert.match(stderr, /^cay: Cannot reach a Cay server at http:\/\/127\.0\.0\.1:1: /);
    assert.deepEqual(seen, []);
  });

  test('is in no backup', async (t) => {
    const [place, elsewhere] = [temporaryFolder(t), join(temporaryFolder(t), 'data')];
    const file = join(place, 'cay.tar.zst');
    assert.equal((await cay(['backup', file, '--data-dir', server.folder])).code, 0);
    assert.equal((await cay(['restore', file, '--data-dir', elsewhere])).code, 0);
    assert.ok(existsSync(join(elsewhere, 'cay.db')) && !existsSync(join(elsewhere, 'server.json')));
  });
});

test('what listens everywhere is reached on this machine', () => {
  assert.equal(localUrl('0.0.0.0', 80), 'http://127.0.0.1:80');
  assert.equal(localUrl('::', 8080), 'http://127.0.0.1:8080');
  assert.equal(localUrl('::1', 8080), 'http://[::1]:8080');
  assert.equal(localUrl('localhost', 8080), 'http://localhost:8080');
});

test('a token of the settings does not go to whoever has the usual port', (t) => {
  const ask = (settings: object) => {
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ auth_token: 'secret', ...settings }));
    return serverOf({ dataDir: folder });
  };
  assert.equal(ask({}).url, usualUrl);
  assert.equal(ask({}).authToken, undefined);
  assert.equal(ask({ http_port: 8080 }).authToken, 'secret');
});
