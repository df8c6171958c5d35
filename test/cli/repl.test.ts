import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../cleanup.ts';
import { cay, cayOnTerminal, startCay } from './cay.ts';

const repl = (lines: readonly string[], ...args: string[]) => cay(['repl', ...args], lines.join('\n'));

test('in a pipe each line is evaluated on the state of those before, without banner and prompt', async () => {
  const ended = await repl(['let count = 1', 'count += 41', 'console.log("hi")', '[count, "text"]', '']);
  assert.deepEqual(ended, { code: 0, stdout: "undefined\n42\nhi\nundefined\n[ 42, 'text' ]\n", stderr: '' });
});

test('an input that is not complete goes on in the next line', async () => {
  const inputs = [
    'function f(a) {\n\n  return a * 2;\n}',
    'f(\n21\n)',
    '`one\ntwo`.length',
    '1 +\n2',
    '/* a\ncomment */ 3',
    '"four\\\n"',
    'try { f() }\nfinally { }',
    'interface Point {\n  x: number\n}',
    'const point: Point = {\n  x: 5 }; point.x',
  ];
  const { stdout, stderr } = await repl(inputs);
  assert.equal(stderr, '');
  assert.deepEqual(stdout.split('\n'), ['undefined', '42', '7', '3', '3', "'four'", 'NaN', 'undefined', '5', '']);
});

test('an error in the middle is reported at once', async () => {
  const { stdout, stderr } = await repl(['let x = {a: 1 2', '"open', '/open', '}', '7']);
  assert.equal(stdout, '7\n');
  assert.equal(stderr.match(/^SyntaxError: /gm)?.length, 4);
});

test('what is incomplete at the end of the input is evaluated as it is', async () => {
  const { code, stderr } = await repl(['f(']);
  assert.equal(code, 0);
  assert.match(stderr, /^SyntaxError: Unexpected end of input/);
});

test('braces at the start are an object', async () => {
  const { stdout } = await repl(['{a: 1, b: {c: 2}}', '{}', '{ let x = 3; x }', '{ 4; }']);
  assert.equal(stdout, '{ a: 1, b: { c: 2 } }\n{}\n3\n4\n');
});

test('values print as a console shows them', async () => {
  const { stdout } = await repl(["'it'", 'null', 'new Set([1])', '10n', 'Symbol("s")', '() => 1', '.5 + 1']);
  assert.equal(stdout, "'it'\nnull\nSet(1) { 1 }\n10n\nSymbol(s)\n[Function (anonymous)]\n1.5\n");
});

test('what fails leaves the state as it was', async () => {
  const { code, stdout, stderr } = await repl(['let x = 1', 'x = 2; throw new Error("no")', 'x', 'missing']);
  assert.equal(code, 0);
  assert.equal(stdout, 'undefined\n1\n');
  assert.match(stderr, /^Error: no\n(?:.*\n)*ReferenceError: missing is not defined\n/);
});

test('a time-out ends one evaluation', async () => {
  const { stdout, stderr } = await repl(['let x = 1', 'for (;;);', 'x'], '--timeout', '0.3');
  assert.deepEqual({ stdout, stderr }, { stdout: 'undefined\n1\n', stderr: 'Execution timed out\n' });
});

test('.save, .reset and .load', async (t) => {
  const file = join(temporaryFolder(t), 'my state.heap');
  const saving = await repl(['let x = 7', `.save ${file}`, 'x = 8', '.reset', 'typeof x', `.load ${file}`, 'x']);
  assert.equal(saving.stderr, '');
  assert.deepEqual(saving.stdout.split('\n'), [
    'undefined',
    `State saved to ${file}`,
    '8',
    'State is empty',
    "'undefined'",
    `State loaded from ${file}`,
    '7',
    '',
  ]);
  assert.equal((await repl(['x + 1'], '--heap', file)).stdout, '8\n');
  assert.equal((await cay(['run', '-', '--heap', file], 'x')).stdout, '7\n');
});

test('.save before anything was evaluated saves an empty state', async (t) => {
  const file = join(temporaryFolder(t), 'empty.heap');
  const { stdout, stderr } = await repl([`.save ${file}`, `.load ${file}`, '1 + 1']);
  assert.deepEqual(
    { stdout, stderr },
    { stdout: `State saved to ${file}\nState loaded from ${file}\n2\n`, stderr: '' },
  );
});

test('commands that cannot be done say why, and nothing else changes', async () => {
  const { code, stdout, stderr } = await repl([
    'let x = 1',
    '.save',
    '.load /nowhere/x',
    '.save /dev/null',
    '.sing',
    'x',
  ]);
  assert.equal(code, 0);
  assert.equal(stdout, 'undefined\n1\n');
  assert.deepEqual(stderr.split('\n'), [
    'Expected a file: .save FILE',
    'Cannot read /nowhere/x: no such file or directory',
    'Cannot write /dev/null: it exists and is not a file',
    'There is no command .sing; .help lists them',
    '',
  ]);
});

test('.help lists the commands, .exit leaves', async () => {
  const { code, stdout } = await repl(['.help', '.exit', '1']);
  assert.equal(code, 0);
  for (const name of ['.help', '.save FILE', '.load FILE', '.reset', '.exit']) assert.ok(stdout.includes(name));
  assert.equal(stdout.split('\n').length, 6);
});

test('in a pipe a signal cancels the evaluation, and ends the repl when there is none', {
  timeout: 30_000,
}, async (t) => {
  const running = startCay(t, ['repl']);
  running.write('let x = 1\nconsole.log("busy"); for (;;);\n');
  await running.seen(/busy\n/);
  running.interrupt();
  running.write('x + 1\n');
  await running.seen(/\n2\n/);
  assert.equal(running.stderr, 'Cancelled by user\n');
  running.interrupt();
  assert.equal((await running.ended).code, 130);
});

test('on a terminal: banner, prompt, continuation, values and errors', { timeout: 30_000 }, async (t) => {
  const running = cayOnTerminal(t, ['repl']);
  let at = await running.seen(/Cay \d.*V8.*\r\n.*\.help lists the commands.*\r\n> /);
  running.write('let total = 40\r');
  at = await running.seen(/\nundefined\r\n> /, at);
  running.write('[total,\r');
  at = await running.seen(/\n\.\.\. /, at);
  running.write('total + 2]\r');
  at = await running.seen(/\n\[ 40, 42 \]\r\n> /, at);
  running.write('nope\r');
  at = await running.seen(/\nReferenceError: nope is not defined\r\n {4}at <eval>:1:1\r\n> /, at);
  running.write('\x04');
  assert.equal((await running.ended).code, 0);
});

test('on a terminal Ctrl-C cancels an evaluation, drops a line, and twice leaves', { timeout: 30_000 }, async (t) => {
  const running = cayOnTerminal(t, ['repl']);
  let at = await running.seen(/\n> /);
  running.write('let kept = 11\r');
  at = await running.seen(/\nundefined\r\n> /, at);
  running.write('console.log("end" + "less"); for (;;);\r');
  at = await running.seen(/\nendless\r\n/, at);
  running.write('\x03');
  at = await running.seen(/\nCancelled by user\r\n> /, at);
  running.write('unfinished(\r');
  at = await running.seen(/\n\.\.\. /, at);
  running.write('\x03');
  at = await running.seen(/\n> /, at);
  running.write('kept * 2\r');
  at = await running.seen(/\n22\r\n> /, at);
  running.write('half a line\x03');
  at = await running.seen(/\n> /, at);
  running.write('\x03');
  at = await running.seen(/\n\(Ctrl-C again, Ctrl-D or \.exit to leave\)\r\n> /, at);
  running.write('\x03');
  assert.equal((await running.ended).code, 0);
});

test('what is typed while code runs is evaluated after it', { timeout: 30_000 }, async (t) => {
  const running = cayOnTerminal(t, ['repl']);
  let at = await running.seen(/\n> /);
  running.write('console.log("bu" + "sy"); await new Promise((done) => setTimeout(done, 300)); "fir" + "st"\r');
  at = await running.seen(/\nbusy\r\n/, at);
  running.write('"sec" + "ond"\r');
  at = await running.seen(/\n'first'\r\n'second'\r\n> /, at);
  running.write('.exit\r');
  assert.equal((await running.ended).code, 0);
});
