import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../cleanup.ts';
import { Cay, type Ended } from '../cli/cay.ts';
import { root } from './installation.ts';

/** A clone whose packages are there and whose core is built, without the stamps that say so of the rest. */
function almostSetUp(t: TestContext) {
  const folder = temporaryFolder(t);
  for (const name of ['bin', 'native', 'package-lock.json', 'package.json', 'scripts', 'src']) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  for (const name of ['cay.node', 'native.stamp', 'isolate-launcher', 'job-launcher', 'spawn.node']) {
    cpSync(join(root, 'build', name), join(folder, 'build', name));
  }
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')).filter((one) => !one.startsWith('.'))) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  writeFileSync(join(folder, 'npm.cjs'), ''); // an npm that finds all that it is asked for
  const env = { npm_execpath: join(folder, 'npm.cjs') };
  const cay = [join(folder, 'bin/cay.js'), '--version'];
  return {
    folder,
    cay: (more: NodeJS.ProcessEnv = {}): Promise<Ended> =>
      new Cay(process.execPath, cay, { env: { ...env, ...more } }).end(),
    cayOnTerminal: (): Promise<Ended> => {
      const helper = join(root, 'test/cli/terminal.py');
      return new Cay('python3', [helper, '100', process.execPath, ...cay], { env }).end();
    },
  };
}

test('the first command in a clone says at once what it sets up, and the next one nothing', async (t) => {
  const { folder, cay, cayOnTerminal } = almostSetUp(t);
  const first = await cay();
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /^\d+\.\d+\.\d+\n$/);
  assert.deepEqual(first.stderr.split('\n'), [
    `Setting Cay up in ${folder}/, which may take a minute: installing packages, baking the base heap`,
    'Installing packages ...',
    'Baking the base heap ...',
    '',
  ]);
  assert.deepEqual(await cay(), { code: 0, stdout: first.stdout, stderr: '' });
  const version = first.stdout.trim();
  assert.equal((await cayOnTerminal()).stdout, `${version}\r\n`);
  rmSync(join(folder, 'build/heap.stamp'));
  const shown = (await cayOnTerminal()).stdout.split('\r\n');
  assert.match(shown[0] ?? '', /^Setting Cay up in \S+, which may take a minute: baking the base heap$/);
  assert.deepEqual(shown.slice(1), ['Baking the base heap ...', version, '']);
});

test('what cannot be built is said after it, and all of it is to do again', async (t) => {
  const { folder, cay } = almostSetUp(t);
  rmSync(join(folder, 'build/native.stamp'));
  for (const work of ['installing packages, building the core', 'building the core']) {
    const { code, stdout, stderr } = await cay({ CXX: 'false' });
    assert.deepEqual([code, stdout], [1, '']);
    assert.ok(stderr.startsWith(`Setting Cay up in ${folder}/, which may take a minute: ${work}, baking`), stderr);
    assert.match(stderr, /no compiler here \(tried false\)/);
  }
});
