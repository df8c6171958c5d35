import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../cleanup.ts';
import { cay } from './cay.ts';

/** Arguments that are refused before anything runs, and the first line of what is said. */
const refused: readonly (readonly [args: readonly string[], message: string | RegExp])[] = [
  [['rum'], /^cay: unknown command 'rum'/],
  [['run', '--heapp', 'x', '-'], /^cay: unknown option '--heapp'/],
  [['run', 'file.js', '--code', '1'], 'cay: Expected either a file or --code, got both'],
  [['exec', 'file.js', '--code', '1'], 'cay: Expected either a file or --code, got both'],
  [['exec', '--code', '1', '--timeout', '301'], /Expected a whole number from 1 to 300\.$/],
  [['exec', '--code', '1', '--memory', '7'], /Expected a whole number from 8 to 4096\.$/],
  [['exec', '--code', '1', '--tag', 'name'], 'cay: --tag: expected key=value, got "name"'],
  [
    ['exec', '--code', '1', '--url', 'localhost:8080'],
    /^cay: --url: expected a URL that begins with http, got localhost:8080/,
  ],
  [['executions', '--status', 'done'], /Allowed choices are running, completed, failed, timed_out, cancelled\.$/],
  [['executions', '--limit', '0'], /Expected a whole number from 1 to 1000\.$/],
  [['executions', 'abc', '--limit', '5'], 'cay: --limit is for the list, without an id'],
  [['sessions', '--limit', '5'], 'cay: --limit is for the history of a session: name one'],
  [['heaps', 'lsit'], /^cay: Expected list, .*show.*, got 'lsit'$/],
  [['heaps', '--tag', '=x'], 'cay: --tag: expected key=value, got "=x"'],
  [['tags'], "cay: missing required argument 'heap'"],
  [['tags', 'abc', 'name'], 'cay: tags: expected key=value, got "name"'],
  [['completion', 'tcsh'], /Allowed choices are bash, zsh, fish\.$/],
  [['run', '-', 'more'], /^cay: too many arguments for 'run'/],
  [['run', '-', '--timeout', 'soon'], /argument 'soon' is invalid\. Expected a number from 0\.001 to 86400\.$/],
  [['run', '-', '--timeout', '0'], /Expected a number from 0\.001 to 86400\.$/],
  [['run', '-', '--heap-memory-max', '7'], /Expected a whole number from 8 to 4096\.$/],
  [['run', '-', '--heap-memory-max', '20.5'], /Expected a whole number from 8 to 4096\.$/],
  [['run', '-', '--input', '{a: 1}'], /Expected JSON: /],
  [['run', '/nowhere/program.js'], 'cay: Cannot read /nowhere/program.js: no such file or directory'],
  [['run', '1 + 1'], 'cay: Cannot read 1 + 1: no such file or directory; code goes into --code'],
  [['run', '/'], /^cay: Cannot read \/: .*directory/],
  [['run', '-', '--heap', '/nowhere/a.heap'], 'cay: Cannot read /nowhere/a.heap: no such file or directory'],
  [['run', '-', '--save', '/nowhere/a.heap'], 'cay: Cannot write /nowhere/a.heap: no such file or directory'],
  [['run', '-', '--save', '/dev/null'], 'cay: Cannot write /dev/null: it exists and is not a file'],
  [['repl', '--heap', '/nowhere/a.heap'], 'cay: Cannot read /nowhere/a.heap: no such file or directory'],
  [['doctor', 'now'], /^cay: too many arguments for 'doctor'/],
  [['serve', 'now'], /^cay: too many arguments for 'serve'/],
  [['--http-prot', '8080'], /^cay: unknown option '--http-prot'/],
];

describe('arguments that are refused', { concurrency: 3 }, () => {
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
});

test('a mistyped option is met with the nearest one and where the help is', async () => {
  const { stderr } = await cay(['run', '--tiemout', '3', '-']);
  assert.equal(stderr, "cay: unknown option '--tiemout'\n(Did you mean --timeout?)\nSee `cay run --help`.\n");
});

test('cay --version is that of the package', async () => {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  assert.deepEqual(await cay(['--version']), { code: 0, stdout: `${manifest.version}\n`, stderr: '' });
});

test('a folder is no place for a heap', async (t) => {
  const folder = temporaryFolder(t);
  const { code, stderr } = await cay(['run', '-', '--save', folder], '1');
  assert.deepEqual({ code, stderr }, { code: 2, stderr: `cay: Cannot write ${folder}: it exists and is not a file\n` });
});
