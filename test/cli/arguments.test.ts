import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cay, temporaryFolder } from './cay.ts';

/** Arguments that are refused before anything runs, and the first line of what is said. */
const refused: readonly (readonly [args: readonly string[], message: string | RegExp])[] = [
  [['rum'], /^cay: unknown command 'rum'/],
  [['run', '--heapp', 'x', '-'], /^cay: unknown option '--heapp'/],
  [['run'], "cay: missing required argument 'file'"],
  [['run', '-', 'more'], /^cay: too many arguments for 'run'/],
  [['run', '-', '--timeout', 'soon'], /argument 'soon' is invalid\. Expected a number from 0\.001 to 86400\.$/],
  [['run', '-', '--timeout', '0'], /Expected a number from 0\.001 to 86400\.$/],
  [['run', '-', '--heap-memory-max', '7'], /Expected a whole number from 8 to 4096\.$/],
  [['run', '-', '--heap-memory-max', '20.5'], /Expected a whole number from 8 to 4096\.$/],
  [['run', '-', '--input', '{a: 1}'], /Expected JSON: /],
  [['run', '/nowhere/program.js'], 'cay: Cannot read /nowhere/program.js: no such file or directory'],
  [['run', '/'], /^cay: Cannot read \/: .*directory/],
  [['run', '-', '--heap', '/nowhere/a.heap'], 'cay: Cannot read /nowhere/a.heap: no such file or directory'],
  [['run', '-', '--save', '/nowhere/a.heap'], 'cay: Cannot write /nowhere/a.heap: no such file or directory'],
  [['run', '-', '--save', '/dev/null'], 'cay: Cannot write /dev/null: it exists and is not a file'],
  [['repl', '--heap', '/nowhere/a.heap'], 'cay: Cannot read /nowhere/a.heap: no such file or directory'],
  [['doctor', 'now'], /^cay: too many arguments for 'doctor'/],
  [['serve', 'now'], /^cay: too many arguments for 'serve'/],
  [['--http-prot', '8080'], /^cay: unknown option '--http-prot'/],
];

for (const [args, message] of refused) {
  test(`refused with exit code 2: cay ${args.join(' ')}`, async () => {
    const { code, stdout, stderr } = await cay(args, 'console.log("ran")');
    const first = stderr.split('\n')[0] ?? '';
    assert.equal(code, 2);
    assert.equal(stdout, '');
    if (typeof message === 'string') assert.equal(first, message);
    else assert.match(first, message);
  });
}

test('a mistyped option is met with the nearest one and where the help is', async () => {
  const { stderr } = await cay(['run', '--tiemout', '3', '-']);
  assert.equal(stderr, "cay: unknown option '--tiemout'\n(Did you mean --timeout?)\nSee `cay run --help`.\n");
});

const flags = {
  '': ['--version', '--help', 'serve', 'run', 'repl', 'doctor'],
  serve: [
    '--http-port <port>',
    '--sse-port <port>',
    '--bind-host <host>',
    '--allowed-hosts <names>',
    '--auth-token <token>',
    '--stateless',
    '--session-id <name>',
    '--heap-memory-max <mb>',
    '--heap-memory-limit <mb>',
    '--execution-timeout <seconds>',
    '--execution-timeout-limit <seconds>',
    '--memory-budget <mb>',
    '--max-concurrent-executions <count>',
    '--max-output-mb <mb>',
    '--isolation <mode>',
    '--retain-days <days>',
    '--retain-gb <gb>',
    '--data-dir <folder>',
    '--log-level <level>',
    '--config <file>',
  ],
  run: ['--heap <file>', '--save <file>', '--timeout <seconds>', '--heap-memory-max <mb>', '--input <json>', '130'],
  repl: ['--heap <file>', '--timeout <seconds>', '--heap-memory-max <mb>', '.help'],
  doctor: ['--json'],
};

for (const [command, names] of Object.entries(flags)) {
  test(`cay ${command} --help names every flag`, async () => {
    const { code, stdout, stderr } = await cay([command, '--help'].filter(Boolean));
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    for (const name of names) assert.ok(stdout.includes(name), `${name} is missing`);
  });
}

test('cay --version is that of the package', async () => {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  assert.deepEqual(await cay(['--version']), { code: 0, stdout: `${manifest.version}\n`, stderr: '' });
});

test('a folder is no place for a heap', async (t) => {
  const folder = temporaryFolder(t);
  const { code, stderr } = await cay(['run', '-', '--save', folder], '1');
  assert.deepEqual({ code, stderr }, { code: 2, stderr: `cay: Cannot write ${folder}: it exists and is not a file\n` });
});
