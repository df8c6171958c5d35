import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { namesAt } from '../src/config/expectation.ts';
import { fetchSchema } from '../src/config/fetch.ts';
import { loadConfig } from '../src/config/load.ts';
import { flagForms, settingNames, settingsSchema } from '../src/config/schema.ts';
import { upstreamsSchema } from '../src/config/upstreams.ts';
import { Cay, type Ended, temporaryFolder } from './cli/cay.ts';

const root = dirname(import.meta.dirname);
const readme = readFileSync(join(root, 'README.md'), 'utf8');

function blocks(language: string): string[] {
  return [...readme.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, of, text = '']) =>
    of === language ? [text] : [],
  );
}

const commands = blocks('sh').flatMap((block) =>
  block
    .replaceAll(/\\\n\s*/g, '')
    .trim()
    .split('\n'),
);
const [client = '', switchedOn = '', withFetch = ''] = blocks('json');

/** A home folder in which someone has followed the README so far, and an `npx` that finds Cay from anywhere. */
function home(t: TestContext) {
  const folder = temporaryFolder(t);
  for (const inside of ['.cay', 'work', 'bin', 'here']) mkdirSync(join(folder, inside));
  writeFileSync(join(folder, '.cay/config.json'), switchedOn);
  writeFileSync(join(folder, 'work/notes.txt'), '');
  writeFileSync(join(folder, 'here/script.ts'), 'const kept: number[] = [1]; kept.length');
  writeFileSync(join(folder, 'here/more.ts'), 'kept.push(2); kept');
  const npx = `#!/bin/sh
if [ "$1" = cay ]; then shift; exec '${process.execPath}' '${root}/bin/cay.js' "$@"; fi
cd '${root}' && PATH="\${PATH#*:}" exec npx "$@"
`;
  writeFileSync(join(folder, 'bin/npx'), npx);
  chmodSync(join(folder, 'bin/npx'), 0o755);
  const env = { HOME: folder, PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`, NO_COLOR: '1' };
  return { here: join(folder, 'here'), env };
}

/** `npm start`, on a port that is free. */
async function npmStart(env: NodeJS.ProcessEnv) {
  const started = spawn('npm', ['start', '--', '--http-port', '0'], {
    cwd: root,
    env: { ...process.env, ...env },
    detached: true, // npm, a shell and a launcher are before the server; all of them are told to end
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const closed = once(started, 'close');
  const stop = async () => {
    if (started.pid !== undefined && started.exitCode === null) process.kill(-started.pid, 'SIGTERM');
    await closed;
  };
  let welcome = '';
  for await (const piece of started.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    welcome += piece;
    if (welcome.includes('Ctrl-C ends it')) break;
  }
  started.stdout.resume();
  return { url: /listens on (\S+)/.exec(welcome)?.[1] ?? '', welcome, stop };
}

const json = ({ stdout }: Ended) => JSON.parse(stdout);
const sums = [11, 12, 13].map((sum) => `The sum of ${sum - 10} and 10 is ${sum}.`);

/** What each command of the README does, in its order. */
const does: readonly (readonly [command: string, check: (ended: Ended) => void])[] = [
  ['seen.length', (ended) => assert.deepEqual([json(ended).result, json(ended).output.data], ['2', 'hello\n'])],
  ['seen.push(3)', (ended) => assert.deepEqual([json(ended).heap_restored, json(ended).result], [true, '[1,2,3]'])],
  ['/api/code/exec', (ended) => assert.deepEqual(json(ended), { ok: true, value: sums })],
  ['/api/executions?limit=1', (ended) => assert.equal(json(ended).executions[0].kind, 'code_execution')],
  ['cay calls', ({ stdout }) => assert.equal(stdout.match(/everything\.get-sum +ok/g)?.length, 3)],
  ['cay upstreams', ({ stdout }) => assert.match(stdout, /^everything +stdio +connected/m)],
  ['cay code exec', (ended) => assert.deepEqual(json(ended).value, { ok: true, result: 'Echo: hi' })],
  ['/api/runtime/execute', (ended) => assert.deepEqual([json(ended).status, json(ended).exitCode], ['failure', 3])],
  [
    '/api/runtime/query-output',
    (ended) => assert.deepEqual(json(ended).excerpts.map(content), ['499\n500\n501', 'oops']),
  ],
  ['cay runtime run', (ended) => assert.match(json(ended).stdoutSummary, /^here\n.*notes\.txt$/s)],
  ['cay runtime list', ({ stdout }) => assert.match(stdout, /^shell +allowed +\d/m)],
  [
    'cay audit list',
    ({ stdout }) => assert.match(stdout, /^4 .* success 0\n3 .* work shell\n2 .* failure 3\n1 .* work shell\n$/),
  ],
  ['cay audit verify', ({ stdout }) => assert.match(stdout, /^The chain is whole: 4 records, the last with the hash /)],
  ['cay run script.ts', ({ stdout }) => assert.equal(stdout, '1\n')],
  ['cay run more.ts', ({ stdout }) => assert.equal(stdout, '[1,2]\n')],
  ['cay repl', ({ stdout }) => assert.equal(stdout, '')],
  ['cay doctor', ({ stdout }) => assert.match(stdout, /^ok +lock: open a socket +killed/m)],
  ['cay upstreams list', ({ stdout }) => assert.match(stdout, /^everything +stdio +connected/m)],
  ['cay repo list', ({ stdout }) => assert.match(stdout, /^work +~\/work\n$/)],
  [
    'cay serve --help',
    ({ stdout }) => assert.deepEqual(new Set(settingNames).difference(settingsIn(stdout)), new Set()),
  ],
];

const content = ({ content }: { content: string }) => content;

/** `--log-level <level>` and `runtime`: what begins a line of the help. */
function settingsIn(help: string): Set<string> {
  const names = [...help.matchAll(/^ {2}(?:--)?([\w-]+)/gm)].map(([, name = '']) => name);
  return new Set(names.map((name) => name.replaceAll('-', '_')));
}

/** What was to be pasted, from what has been printed. */
function pasted(command: string, printed: string): string {
  const last = (name: string) => printed.match(new RegExp(`(?<="${name}":\\s*")[^"]+`, 'g'))?.at(-1) ?? '';
  return command
    .replace('PASTE_THE_HEAP_HERE', last('heap'))
    .replace('PASTE_THE_EXECUTION_ID_HERE', last('execution_id'))
    .replace('PASTE_THE_HANDLE_HERE', last('artifactHandle'));
}

test('every command of the README does what it says', async (t) => {
  const { here, env } = home(t);
  const { url, welcome, stop } = await npmStart(env);
  try {
    const shown = welcome.slice(welcome.indexOf('{'), welcome.lastIndexOf('}') + 1);
    assert.deepEqual(JSON.parse(shown.replace(url, 'http://127.0.0.1:8080')), JSON.parse(client));
    const toRun = commands.filter((command) => !command.startsWith('npm '));
    assert.equal(toRun.length, does.length);
    let printed = '';
    for (const [index, [name, check]] of does.entries()) {
      const command = pasted(toRun[index] ?? '', printed).replaceAll('http://127.0.0.1:8080', url);
      assert.ok(command.includes(name), `${command} is not ${name}`);
      const ended = await new Cay('bash', ['-c', command], { cwd: here, env: { ...env, CAY_URL: url } }).end();
      assert.equal(ended.code, 0, `${command}: ${ended.stdout}${ended.stderr}`);
      check(ended);
      printed += ended.stdout;
    }
  } finally {
    await stop();
  }
});

test('npx finds Cay in its folder', async () => {
  const { code, stdout } = await new Cay('npx', ['cay', '--version'], { cwd: root }).end();
  assert.deepEqual([code, stdout], [0, `${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version}\n`]);
});

test('commands within its sentences are there', async (t) => {
  const { here, env } = home(t);
  const within = [...readme.matchAll(/`(npx cay [^`]+)`/g)].map(([, command = '']) => command);
  const isRunAbove = (command: string) => commands.some((other) => other.startsWith(command));
  for (const command of new Set(within.filter((command) => !isRunAbove(command)))) {
    const { code, stdout } = await new Cay('bash', ['-c', `${command} --help`], { cwd: here, env }).end();
    const words = command.replace('npx ', '').replace(/ (everything|--help)$/, '');
    assert.deepEqual([code, stdout.slice(0, stdout.indexOf(' ['))], [0, `Usage: ${words}`]);
  }
});

test('scripts that it names are in package.json', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const named = commands.flatMap((command) => /^npm (?:run )?(\S+)/.exec(command)?.[1] ?? []);
  assert.deepEqual(
    named.filter((name) => !(name in scripts)),
    [],
  );
});

test('its configurations are valid, and it names every key', (t) => {
  for (const text of [switchedOn, withFetch]) {
    const config = join(temporaryFolder(t), 'config.json');
    writeFileSync(config, text);
    assert.deepEqual(loadConfig({ flags: { config }, environment: {} }).warnings, []);
  }
  const flags = new Set(flagForms().map(({ name }) => name));
  const otherWords = ['transport', 'disabled']; // of the files of other clients
  const keys = [
    ...settingNames.filter((name) => !flags.has(name) && name !== 'runtime'),
    ...namesAt(settingsSchema, ['runtime']).map((name) => `runtime.${name}`),
    ...namesAt(fetchSchema, []).filter((name) => name !== 'allow'),
    ...namesAt(fetchSchema, ['allow', '0']),
    ...namesAt(upstreamsSchema, ['any']).filter((name) => !otherWords.includes(name)),
  ];
  assert.ok(keys.length > 40);
  assert.deepEqual(
    keys.filter((key) => !readme.includes(`\`${key}\``)),
    [],
  );
});
