import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../cleanup.ts';
import { startServer } from '../server/running.ts';
import { toolbox } from '../upstreams/servers/configuration.ts';
import { cay, startCay } from './cay.ts';

function folderWith(t: TestContext, content: object): string {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'config.json'), JSON.stringify(content));
  return folder;
}

test('who adds a server or a repository hears which setting lets agents use it', async (t) => {
  const off = folderWith(t, { runtime: { enabled: false } });
  const on = folderWith(t, { enable_code_execution: true, runtime: { enabled: true } });
  const add = async (folder: string, ...args: string[]) => (await cay([...args, '--data-dir', folder])).stderr;
  assert.match(await add(off, 'upstreams', 'add', 'box', 'x'), /enable_code_execution or run_js_tools is true/);
  assert.match(await add(off, 'repo', 'add', 'work', off), /runtime\.enabled is true/);
  assert.doesNotMatch(await add(on, 'upstreams', 'add', 'box', 'x'), /Agents can/);
  assert.doesNotMatch(await add(on, 'repo', 'add', 'work', on), /Agents can/);
});

test('an unknown subcommand of upstreams is not a listing', async () => {
  const { code, stdout, stderr } = await cay(['upstreams', 'lsit']);
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(stderr, /^cay: Expected add, remove, list or test, got 'lsit'\n/);
});

test('a name that a shell would take apart is quoted', async (t) => {
  const { stderr } = await cay(['upstreams', 'add', "it's", '--data-dir', folderWith(t, {}), '--', 'x']);
  assert.ok(stderr.includes(String.raw`try it: cay upstreams test 'it'\''s'.`), stderr);
});

test('http_port of the settings leads calls and upstreams to their server', async (t) => {
  const folder = folderWith(t, { enable_code_execution: true, mcpServers: { box: toolbox() } });
  const server = await startServer(t, { folder });
  const before = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
  const late = { box: toolbox(), late: toolbox() };
  const now = { ...before, mcpServers: late, http_port: Number(new URL(server.url).port) };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(now));
  const calls = await cay(['calls', 'nothing', '--data-dir', folder]);
  assert.deepEqual([calls.code, calls.stderr], [1, "cay: Execution 'nothing' not found\n"]);
  const { stdout, stderr } = await cay(['upstreams', '--data-dir', folder]);
  assert.match(stdout, /^box +stdio +conn/m);
  assert.match(stdout, /^late +stdio +- +- +\S*node/m);
  assert.match(stderr, /^Those without a state are not known to the running server: it reads the configuration when/);
});

test('the welcome says what is switched off', async (t) => {
  const folder = folderWith(t, { enable_code_execution: true });
  const started = startCay(t, ['serve', '--http-port', '0', '--data-dir', folder]);
  await started.seen(/Ctrl-C ends it/);
  assert.match(started.stdout, /^Jobs in repositories are off; runtime\.enabled in the configuration/m);
  assert.doesNotMatch(started.stdout, /code_execution is off/);
  started.interrupt();
  await started.ended;
});

test('the welcome says how commands find a server on a port of its own', async (t) => {
  const started = startCay(t, ['serve', '--http-port', '0', '--data-dir', temporaryFolder(t)]);
  await started.seen(/Ctrl-C ends it/);
  const said = /^For commands in another terminal: export CAY_URL=(\S+)$/m.exec(started.stdout);
  assert.equal((await cay(['executions'], '', { CAY_URL: said?.[1] ?? '' })).code, 0);
  started.interrupt();
  await started.ended;
});

test('doctor warns of a data folder that others can read', async (t) => {
  const folder = temporaryFolder(t);
  const row = async () => (await cay(['doctor', '--data-dir', folder])).stdout.match(/^(\w+) +data folder .*$/m)?.[1];
  assert.equal(await row(), 'ok');
  chmodSync(folder, 0o755);
  assert.equal(await row(), 'warn');
});
