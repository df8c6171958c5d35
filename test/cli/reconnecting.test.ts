import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { follow } from '../../src/cli/executions/follow.ts';
import { temporaryFolder } from '../cleanup.ts';
import { startServer } from '../server/running.ts';
import { cay, startCay } from './cay.ts';

async function detached(there: readonly string[]): Promise<string> {
  const code = 'console.log("begun"); await new Promise((go) => setTimeout(go, 60_000));';
  return (await cay(['exec', '--detach', '-e', code, ...there])).stdout.trim();
}

describe('cay output -f, when the server goes away', { concurrency: 2 }, () => {
  test('it goes on where it was when the server comes back', async (t) => {
    const folder = temporaryFolder(t);
    const first = await startServer(t, { folder });
    const there = ['--url', first.url];
    const id = await detached(there);
    const running = startCay(t, ['output', '-f', id, ...there]);
    await running.seen(/begun\n/);
    first.process.kill('SIGKILL');
    await first.stop();
    await startServer(t, { folder, args: ['--http-port', new URL(first.url).port] });
    const { code, stdout, stderr } = await running.ended;
    assert.deepEqual([code, stdout], [1, 'begun\n'], 'nothing twice');
    assert.equal(stderr, 'The server stopped while this execution was running\n');
  });

  test('a server that stays away is given up, with what to do when it is back', async (t) => {
    const gone = await startServer(t);
    const id = await detached(['--url', gone.url]);
    const { signal } = new AbortController();
    const following = follow(
      { server: { url: gone.url }, id, signal, patienceMs: 500 },
      { onOutput: () => gone.process.kill('SIGKILL') },
    );
    const message = `The server at ${gone.url} has gone away. When it is back: cay output -f ${id}`;
    await assert.rejects(following, { code: 'cannot_connect', message });
  });
});
