import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isAtLeast, versionIn } from '../../src/runtimes/executables/identity.ts';
import { openRuntimes } from './server.ts';

/** A server that started with `folder/bin` first on its PATH. */
function openWithBin(context: TestContext, settings: object, fill: (folder: string) => void) {
  const path = process.env.PATH;
  const prepare = (repo: string) => {
    mkdirSync(join(repo, '../tools/bin'), { recursive: true });
    fill(join(repo, '../tools'));
    process.env.PATH = `${join(repo, '../tools/bin')}:${path}`;
  };
  return openRuntimes(context, settings, { prepare }).finally(() => {
    process.env.PATH = path;
  });
}

test('an installation outside of the system is in the jail, and nothing around it', async (context) => {
  const { run, repo } = await openWithBin(context, {}, (tools) => {
    copyFileSync('/bin/bash', join(tools, 'bin/bash'));
    mkdirSync(join(tools, 'share'));
    writeFileSync(join(tools, 'share/part'), 'a part of it\n');
    writeFileSync(join(tools, '../diary'), 'not a part of it\n');
  });
  const tools = join(repo, '../tools');
  const { stdout } = await run({
    code: `echo $BASH; cat ${tools}/share/part ${tools}/../diary; echo x > ${tools}/share/part`,
  });
  assert.equal(stdout, `${tools}/bin/bash\na part of it\n`);
});

test('behind a shim the real executable is found, and runs without the shim', async (context) => {
  const { run, repo } = await openWithBin(context, {}, (tools) => {
    writeFileSync(join(tools, 'bin/python3'), '#!/bin/sh\nexec /usr/bin/env -u X python3.real "$@"\n', { mode: 0o755 });
    symlinkSync('/usr/bin/python3', join(tools, 'bin/python3.real'));
  });
  const { stdout } = await run({ runtime: 'python', code: 'import sys; print(sys.executable)' });
  assert.notEqual(stdout.trim(), join(repo, '../tools/bin/python3'));
  assert.match(stdout, /python3/);
});

test('an override is a name of the row, and nothing else', async (context) => {
  const { run } = await openRuntimes(context);
  const version = await run({ runtime: 'java', executable: 'javac', args: ['--version'] });
  assert.match(version.stdout, /^javac \d/);
  const source = 'class A { public static void main(String[] a) { System.out.println("launched"); } }';
  assert.equal((await run({ runtime: 'java', executable: 'java', code: source })).stdout, 'launched\n');
  for (const executable of ['gcc', '/usr/bin/python3', 'python3/../../bin/sh', '..', '-c', 'python3 -c', 'PYTHON3']) {
    const { answer } = await run({ runtime: 'python', executable, code: 'print(1)' });
    assert.equal(answer.status, 'denied', executable);
    assert.match(
      answer.policyDecision.deniedReasons.join(),
      /is not allowed for python: it must be one of python3, python$/,
    );
  }
});

test('allowedExecutables is all that may be executed', async (context) => {
  const { run } = await openRuntimes(context, { allowedExecutables: ['python3', '/usr/bin/dash', 'sh'] });
  assert.equal((await run({ runtime: 'python', code: 'print(1)' })).stdout, '1\n');
  const denied = await run({ code: 'echo bash' });
  assert.equal(denied.answer.status, 'denied');
  assert.match(
    denied.answer.policyDecision.deniedReasons.join(),
    /'bash' is not allowed .* runtime\.allowedExecutables/,
  );
  assert.equal((await run({ executable: '/usr/bin/dash', code: 'echo $0' })).stdout, '/run/job/code/main.sh\n');
  assert.equal((await run({ executable: 'sh', code: 'echo by name' })).stdout, 'by name\n');
});

test('what is not installed is denied, with what was looked for and what to install', async (context) => {
  const path = process.env.PATH;
  process.env.PATH = '/nonexistent';
  const { run } = await openRuntimes(context).finally(() => {
    process.env.PATH = path;
  });
  const { answer } = await run({ runtime: 'ruby', code: 'puts 1' });
  assert.equal(answer.status, 'denied');
  const [reason] = answer.policyDecision.deniedReasons;
  assert.equal(reason, 'There is nothing to run ruby with: ruby is not installed. To install it: apt-get install ruby');
});

test('TypeScript needs a Node that understands it; Cay brings one', async (context) => {
  const { run } = await openRuntimes(context);
  const { stdout } = await run({
    runtime: 'typescript',
    executable: 'node',
    code: 'console.log(process.version as string)',
  });
  assert.ok(isAtLeast(stdout.trim().slice(1), '22.18'), stdout);
});

test('versions are compared by their numbers', () => {
  assert.ok(isAtLeast('22.18.0', '22.18') && isAtLeast('23.0', '22.18') && isAtLeast('22.100', '22.18'));
  assert.ok(!isAtLeast('22.9', '22.18') && !isAtLeast('9.99', '22.18') && !isAtLeast(null, '22.18'));
  assert.equal(versionIn('go version go1.19.8 linux/amd64'), '1.19.8');
  assert.equal(versionIn('nothing'), null);
});
