import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder, wholeFile } from '../../cleanup.ts';
import { startServer } from '../../server/running.ts';
import { cay, cayOnTerminal, startCay } from '../cay.ts';
import { testCommands } from './case.ts';
import { ownCases } from './own-cases.ts';

const cleanup = wholeFile();
const server = await startServer(cleanup);
const headers = { 'content-type': 'application/json' };
await fetch(`${server.url}/api/exec`, { method: 'POST', headers, body: '{"code": "let x = 1", "wait_secs": 30}' });
await server.stop();
const backup = join(temporaryFolder(cleanup), 'backup.tar.zst');
await cay(['backup', backup, '--data-dir', server.folder]);

testCommands(ownCases(() => ({ used: server.folder, backup, newFolder: () => temporaryFolder(cleanup) })));

const serve = ['serve', '--http-port', '0', '--log-level', 'error', '--data-dir'];

test('cay serve on a terminal, until Ctrl-C', async (t) => {
  const running = cayOnTerminal(t, [...serve, temporaryFolder(t)], { columns: 60 });
  await running.seen(/listens on http:\/\/127\.0\.0\.1:\d+ .*"mcpServers".*Ctrl-C ends it\.\r\n/s);
  running.write('\x03');
  assert.equal((await running.ended).code, 0);
});

test('cay serve in a pipe, until it is told to end', async (t) => {
  const running = startCay(t, [...serve, temporaryFolder(t)]);
  await running.seen(/listens on http:\/\/127\.0\.0\.1:\d+ .*"mcpServers".*Ctrl-C ends it\.\n/s);
  running.interrupt();
  const { code, stderr } = await running.ended;
  assert.deepEqual([code, stderr], [0, '']);
});
