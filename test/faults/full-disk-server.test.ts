import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { temporaryFolder } from '../cleanup.ts';
import { json, type RunningServer, startServer } from '../server/running.ts';

// A disk of its own, in a mount namespace that goes with the server.
const mounted = 'mount -t tmpfs -o size=16m cay "$1" && shift && exec "$@"';

const at = async ({ url }: RunningServer, path: string, method = 'GET', given?: object) => {
  const body = given === undefined ? null : JSON.stringify(given);
  const response = await fetch(url + path, { method, body });
  return { status: response.status, body: await json(response) };
};

async function becomes(read: () => Promise<boolean>): Promise<void> {
  while (!(await read())) await setTimeout(50);
}

test('an execution that fills the disk is not lost, is not run twice, and ends when there is room', async (t) => {
  const folder = temporaryFolder(t);
  const server = await startServer(t, { folder, within: ['unshare', '-rm', 'sh', '-c', mounted, 'sh', folder] });
  const before = (await at(server, '/api/exec', 'POST', { code: 'let kept = 1', wait_secs: 60 })).body;
  // Text that does not get smaller.
  const code = 'const all = []; for (let i = 0; i < 2e6; i++) all.push(Math.random()); console.log(all.join()); "done"';
  const { status, body } = await at(server, '/api/exec', 'POST', { code, wait_secs: 8, execution_timeout_secs: 60 });
  assert.deepEqual([status, body.status], [200, 'running']);
  const text = new RegExp(
    `^Execution '${body.execution_id}' does not run any more.*disk is full.*do not run it again$`,
  );
  assert.match(body.error, text);
  const path = `/api/executions/${body.execution_id}`;
  assert.match((await at(server, path)).body.error, text);
  const cancelled = await at(server, `${path}/cancel`, 'POST');
  assert.equal(cancelled.status, 500);
  assert.equal(cancelled.body.error.code, 'disk_full');
  assert.match(cancelled.body.error.message, text);
  assert.deepEqual((await at(server, '/health')).body, {
    ...(await at(server, '/health')).body,
    running: 0,
    queued: 0,
    unstored: 1,
  });
  assert.match(await (await fetch(`${server.url}/metrics`)).text(), /^cay_executions_unstored 1$/m);
  assert.match(server.log(), /the end of an execution is not stored yet/);
  const refused = await at(server, '/api/exec', 'POST', { code: `"${'x'.repeat(15e6)}"` });
  assert.deepEqual([refused.status, refused.body.error.code], [500, 'disk_full']);

  const room = ['-t', String(server.process.pid), '-U', '-m', '--preserve-credentials'];
  execFileSync('nsenter', [...room, 'mount', '-o', 'remount,size=200m', folder]);
  await becomes(async () => (await at(server, path)).body.status !== 'running');
  const ended = (await at(server, path)).body;
  assert.deepEqual([ended.status, ended.result, ended.error], ['completed', '"done"', null]);
  const { total_bytes } = (await at(server, `${path}/output?byte_limit=1`)).body;
  assert.ok(total_bytes > 16 * 2 ** 20, `${total_bytes}`);
  assert.equal((await at(server, '/health')).body.unstored, 0);
  const again = { code: 'kept + 1', heap: before.heap, wait_secs: 60 };
  assert.equal((await at(server, '/api/exec', 'POST', again)).body.result, '2');
});
