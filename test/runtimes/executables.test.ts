import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isAtLeast, versionIn } from '../../src/runtimes/executables/identity.ts';
import { probeEnvironment } from '../../src/runtimes/executables/probe-environment.ts';
import { SearchPath } from '../../src/runtimes/executables/search-path.ts';
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

test('what npm put before the PATH, and what Cay was installed with, runs no job', async (context) => {
  const path = process.env.PATH;
  const says = (version: string) => `#!/bin/sh\necho ${version}\n`;
  const { runtimes, folder } = await openRuntimes(
    context,
    {},
    {
      prepare: (repo) => {
        const put = (place: string, name: string, version: string) => {
          mkdirSync(join(repo, '..', place), { recursive: true });
          writeFileSync(join(repo, '..', place, name), says(version), { mode: 0o755 });
          return join(repo, '..', place);
        };
        const ofNpm = [
          put('project/node_modules/.bin', 'perl', '1.1.1'),
          put('npm/lib/node-gyp-bin', 'perl', '2.2.2'),
          join(import.meta.dirname, '../../node_modules/.bin'),
          dirname(process.execPath),
        ];
        put('own/bin', 'perl', '3.3.3');
        process.env.PATH = [...ofNpm, put('own/bin', 'node', 'v4.4.4'), path].join(':');
      },
    },
  ).finally(() => {
    process.env.PATH = path;
  });
  const found = (await runtimes.languages()).filter(({ runtime }) => ['node', 'perl'].includes(runtime));
  assert.deepEqual(
    found.map(({ executable, version }) => [executable, version]),
    [
      [join(folder, 'own/bin/node'), '4.4.4'],
      [join(folder, 'own/bin/perl'), '3.3.3'],
    ],
  );
});

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

test('allowedExecutables is all of the table that may be executed, and brings nothing that is not in it', async (context) => {
  const { run } = await openRuntimes(context, {
    allowedExecutables: ['python3', '/usr/bin/perl', '/usr/bin/dash', 'sh'],
  });
  assert.equal((await run({ runtime: 'python', code: 'print(1)' })).stdout, '1\n');
  const denied = await run({ code: 'echo bash' });
  assert.equal(denied.answer.status, 'denied');
  assert.match(
    denied.answer.policyDecision.deniedReasons.join(),
    /'bash' is not allowed .* runtime\.allowedExecutables/,
  );
  for (const executable of ['/usr/bin/dash', 'sh', 'perl', '/usr/bin/perl', 'python3']) {
    const { answer } = await run({ executable, code: 'echo' });
    assert.equal(answer.status, 'denied', executable);
    assert.match(
      answer.policyDecision.deniedReasons.join(),
      /is not allowed for shell: it must be one of bash, and in/,
    );
  }
});

test('allowedExecutables may say where an executable is, and not in a repository', async (context) => {
  const { run } = await openRuntimes(
    context,
    { allowedExecutables: ['/usr/bin/perl', '/usr/bin/java', '/usr/bin/javac'] },
    { prepare: (repo) => writeFileSync(join(repo, 'perl'), '', { mode: 0o755 }) },
  );
  for (const executable of [null, '/usr/bin/perl']) {
    assert.equal((await run({ runtime: 'perl', executable, code: 'print 1' })).stdout, '1');
  }
  assert.equal((await run({ runtime: 'perl', executable: 'perl', code: 'print 1' })).answer.status, 'denied');
  const source = 'class A { public static void main(String[] a) { System.out.println("launched"); } }';
  assert.equal((await run({ runtime: 'java', executable: '/usr/bin/java', code: source })).stdout, 'launched\n');
});

test('an executable in the repository is refused also where the policy names it', async (context) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cay-runtimes-')));
  const planted = join(folder, 'repo/python3');
  const { run } = await openRuntimes(
    context,
    { allowedExecutables: [planted] },
    { folder, prepare: () => symlinkSync('/usr/bin/python3', planted) },
  );
  const { answer } = await run({ runtime: 'python', executable: planted, code: 'print(1)' });
  assert.equal(answer.status, 'denied');
});

test('an executable is asked for its version without what would make it load code', async (context) => {
  const given = {
    PYTHONPATH: '/nowhere',
    NODE_OPTIONS: '--no-warnings',
    LD_PRELOAD: '',
    SECRET: 'x',
    PYENV_ROOT: '/pyenv',
  };
  const before = { ...process.env };
  Object.assign(process.env, given);
  const { run, folder } = await openWithBin(context, {}, (tools) => {
    const script = `#!/bin/sh\nenv > ${tools}/seen\nexec /usr/bin/perl "$@"\n`;
    writeFileSync(join(tools, 'bin/perl'), script, { mode: 0o755 });
  }).finally(() => {
    for (const name of Object.keys(given)) delete process.env[name];
    Object.assign(process.env, before);
  });
  await run({ runtime: 'perl', code: 'print 1' });
  const seen = readFileSync(join(folder, 'tools/seen'), 'utf8').trim().split('\n');
  const names = seen.map((line) => line.split('=')[0]).filter((name) => name !== 'PWD' && name !== '_');
  assert.deepEqual(names.sort(), ['GOENV', 'HOME', 'LANG', 'PATH', 'PYENV_ROOT', 'PYTHONNOUSERSITE', 'RUBYOPT']);
  assert.ok(seen.includes(`HOME=${homedir()}`), 'version managers have their versions there');
});

test('where the home is in a repository, an executable that is asked for its version has none', async () => {
  const inHome = await SearchPath.from('/usr/bin', [homedir()]);
  assert.equal(probeEnvironment(inHome).HOME, '/nonexistent');
  const elsewhere = await SearchPath.from(`${homedir()}/bin:/usr/bin:/opt/x:/usr/local/bin`, [join(homedir(), 'work')]);
  assert.equal(probeEnvironment(elsewhere).HOME, homedir());
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
