import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../cleanup.ts';
import { cay } from '../cli/cay.ts';
import { startServer } from '../server/running.ts';
import { toolbox } from './servers/configuration.ts';

const nobody = ['--url', 'http://127.0.0.1:1'];

function folderWith(t: TestContext, content?: unknown): { folder: string; read: () => ReturnType<typeof JSON.parse> } {
  const folder = temporaryFolder(t);
  const file = join(folder, 'config.json');
  if (content !== undefined) writeFileSync(file, `${JSON.stringify(content, null, 4)}\n`);
  return { folder, read: () => JSON.parse(readFileSync(file, 'utf8')) };
}

test('add and remove change mcpServers and nothing else in the file', async (t) => {
  const before = { log_level: 'error', mcpServers: { old: { command: 'x', theirs: [1] } }, unknown: { kept: true } };
  const { folder, read } = folderWith(t, before);
  const at = ['--data-dir', folder];
  const added = await cay([
    'upstreams',
    'add',
    'files',
    '--env',
    'A=b=c',
    '--env',
    'D=',
    ...at,
    '--',
    'npx',
    '-y',
    'files',
    '--deep',
  ]);
  assert.deepEqual([added.code, added.stdout], [0, '']);
  assert.match(added.stderr, /^files is in .*config\.json; try it: cay upstreams test files/);
  const header = ['--header', 'Authorization=Bearer ${TOKEN}', '--header', 'X-Key: a=b'];
  const web = await cay([
    'upstreams',
    'add',
    'web',
    '--url',
    'https://web.example/mcp',
    ...header,
    '--transport',
    'sse',
    ...at,
  ]);
  assert.equal(web.code, 0, web.stderr);
  const files = { command: 'npx', args: ['-y', 'files', '--deep'], env: { A: 'b=c', D: '' } };
  const headers = { Authorization: 'Bearer ${TOKEN}', 'X-Key': 'a=b' };
  const servers = { ...before.mcpServers, files, web: { type: 'sse', url: 'https://web.example/mcp', headers } };
  assert.deepEqual(read(), { ...before, mcpServers: servers });
  assert.deepEqual(Object.keys(read()), ['log_level', 'mcpServers', 'unknown']);
  assert.equal((await cay(['upstreams', 'remove', 'web', ...at])).code, 0);
  assert.equal((await cay(['upstreams', 'remove', 'files', ...at])).code, 0);
  assert.deepEqual(read(), before);
});

test('an array stays an array', async (t) => {
  const { folder, read } = folderWith(t, { mcpServers: [{ name: 'old', command: 'x' }] });
  await cay(['upstreams', 'add', 'new', '--data-dir', folder, '--', 'y']);
  assert.deepEqual(read().mcpServers, [
    { name: 'old', command: 'x' },
    { name: 'new', command: 'y' },
  ]);
  await cay(['upstreams', 'remove', 'old', '--config', join(folder, 'config.json')]);
  assert.deepEqual(read().mcpServers, [{ name: 'new', command: 'y' }]);
});

test('a file that is not there is made, for its owner alone', async (t) => {
  const file = join(temporaryFolder(t), 'deep', 'mine.json');
  assert.equal((await cay(['upstreams', 'add', 'box', '--config', file, '--', 'a command'])).code, 0);
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { mcpServers: { box: { command: 'a command' } } });
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

const refused: readonly (readonly [args: string[], message: RegExp])[] = [
  [['add', 'x'], /Expected a command after --, or --url/],
  [['add', 'x', '--url', 'https://a.example', '--', 'b'], /not both/],
  [['add', 'x', '--url', 'not a url'], /x\.url: expected a URL that begins with http/],
  [['add', 'x', '--url', 'https://a.example', '--env', 'A=b'], /--env is for servers with a command/],
  [['add', 'x', '--header', 'A=b', '--', 'c'], /--header is for servers with --url/],
  [['add', 'x', '--env', 'secret', '--', 'c'], /--env: expected NAME=value\n/],
  [['add', 'old', '--', 'c'], /'old' is configured already/],
  [['remove', 'odl'], /'odl': unknown, did you mean "old"\?/],
  [['test', 'odl'], /'odl': unknown, did you mean "old"\?/],
];

for (const [args, message] of refused) {
  test(`refuses: cay upstreams ${args.join(' ')}`, async (t) => {
    const { folder, read } = folderWith(t, { mcpServers: { old: { command: 'x' } } });
    const [name = '', ...rest] = args;
    const { code, stderr } = await cay(['upstreams', name, '--data-dir', folder, ...rest]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
    assert.deepEqual(read(), { mcpServers: { old: { command: 'x' } } });
  });
}

test('list shows what is configured without arguments and queries, and says when no server is running', async (t) => {
  const { folder } = folderWith(t, {
    mcpServers: {
      box: { command: 'npx', args: ['--key', 'secret-one'] },
      web: { url: 'https://me:secret-two@web.example/mcp?key=secret-three', enabled: false },
    },
  });
  for (const args of [['upstreams'], ['upstreams', 'list'], ['upstreams', 'list', '--json']]) {
    const { code, stdout, stderr } = await cay([...args, '--data-dir', folder, ...nobody]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /box.*npx.*web.*https:\/\/web\.example\/mcp/s);
    assert.doesNotMatch(stdout + stderr, /secret/);
    if (!args.includes('--json')) assert.match(stderr, /^The states are not known: Cannot reach a Cay server at /);
  }
  const none = await cay(['upstreams', 'list', '--data-dir', folderWith(t).folder, ...nobody]);
  assert.match(none.stderr, /No server is configured: cay upstreams add NAME -- COMMAND/);
});

test('list and GET /api/upstreams show the state of a running server, and no secret', async (t) => {
  const bad = { command: 'no-such-command-anywhere', env: { API_TOKEN: 'a-secret-of-mine' } };
  const mcpServers = { box: toolbox(), bad, off: { ...toolbox(), enabled: false } };
  const { folder } = folderWith(t, { enable_code_execution: true, mcpServers });
  const server = await startServer(t, { folder });
  let found: ReturnType<typeof JSON.parse>;
  do {
    const text = await (await fetch(`${server.url}/api/upstreams`)).text();
    assert.doesNotMatch(text, /a-secret/);
    found = JSON.parse(text).upstreams;
  } while (found[0].state !== 'connected' || found[1].state !== 'waiting');
  const [box, broken, off] = found;
  assert.deepEqual([box.name, box.transport, box.last_error, box.calls_in_flight], ['box', 'stdio', null, 0]);
  assert.deepEqual(box.server, { name: 'toolbox', version: '1.2.3' });
  assert.match(box.since, /^\d{4}-.*Z$/);
  assert.equal(broken.last_error, 'the command no-such-command-anywhere was not found');
  assert.match(broken.next_attempt_at, /Z$/);
  assert.equal(off.state, 'disabled');
  const { code, stdout } = await cay(['upstreams', 'list', '--data-dir', folder, '--url', server.url]);
  assert.equal(code, 0);
  assert.match(stdout, new RegExp(`^box +stdio +connected +${box.tools} `, 'm'));
  assert.match(stdout, /^bad +stdio +(waiting|connecting) +0 .*was not found$/m);
  assert.match(stdout, /^off +stdio +disabled /m);
  assert.equal(await server.stop(), 0);
  assert.doesNotMatch(server.log(), /a-secret/);
});

test('test connects by itself and lists the tools', async (t) => {
  const { folder } = folderWith(t, { mcpServers: { box: { ...toolbox(), enabled: false } } });
  const { code, stdout, stderr } = await cay(['upstreams', 'test', 'box', '--data-dir', folder]);
  assert.equal(code, 0, stderr);
  assert.match(
    stdout,
    /^Connected in \d+ ms to toolbox 1\.2\.3, over stdio\. Its tools \(\d+\):\n {2}add +Adds two numbers\.\n/,
  );
  const json = await cay(['upstreams', 'test', 'box', '--data-dir', folder, '--json']);
  assert.deepEqual(JSON.parse(json.stdout).tools[0].inputSchema.required, ['a', 'b']);
  assert.equal(existsSync(join(folder, 'cay.db')), false, 'and leaves nothing behind');
});

test('test says what is wrong, with what the server printed', async (t) => {
  const { folder } = folderWith(t, {
    mcpServers: {
      bad: { command: process.execPath, args: ['-e', 'console.error("no ${TOKEN}"); process.exit(1)'] },
      unset: { command: 'x', env: { A: '${NOT_SET_ANYWHERE}' } },
    },
  });
  const bad = await cay(['upstreams', 'test', 'bad', '--data-dir', folder], '', { TOKEN: 'a-secret-of-mine' });
  assert.equal(bad.code, 1);
  assert.equal(
    bad.stderr,
    "bad: no [redacted]\ncay: Server 'bad' is not connected: its process ended with exit code 1; its stderr ends with: no [redacted]\n",
  );
  const unset = await cay(['upstreams', 'test', 'unset', '--data-dir', folder]);
  assert.equal(unset.code, 1);
  assert.match(
    unset.stderr,
    /mcpServers\.unset\.env\.A needs the environment variable NOT_SET_ANYWHERE, which is not set/,
  );
});
