import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../cleanup.ts';
import { cay, cayOnTerminal, startCay } from './cay.ts';

const run = (source: string, ...args: string[]) => cay(['run', '-', ...args], source);

test('console output and then the value go to stdout', async () => {
  const ended = await run('console.log("hello"); console.warn("careful"); ({ sum: 1 + 2 })');
  assert.deepEqual(ended, { code: 0, stdout: 'hello\n[WARN] careful\n{"sum":3}\n', stderr: '' });
});

test('a value that JSON cannot hold is printed as console.log prints it', async () => {
  const ended = await run('new Map([["a", 1]])');
  assert.equal(ended.stdout, "Map(1) { 'a' => 1 }\n");
});

test('nothing is printed for undefined', async () => {
  assert.deepEqual(await run('let quiet = 1;'), { code: 0, stdout: '', stderr: '' });
});

test('a file runs, TypeScript with top-level await as well', async (t) => {
  const file = join(temporaryFolder(t), 'program.ts');
  writeFileSync(file, 'enum Size { Big = 7 }\nconst size: Size = await Promise.resolve(Size.Big);\nreturn size;\n');
  assert.deepEqual(await cay(['run', file]), { code: 0, stdout: '7\n', stderr: '' });
});

test('console output comes while the code runs', async (t) => {
  const running = startCay(t, ['run', '-']);
  const ended = running.end('console.log("started"); for (;;);');
  await running.seen(/started\n/);
  running.interrupt();
  assert.equal((await ended).code, 130);
});

test('an error goes to stderr with its stack, and the exit code is 1', async () => {
  const ended = await run('console.log("before");\nfunction f() {\n  throw new TypeError("broken");\n}\nf();');
  assert.equal(ended.code, 1);
  assert.equal(ended.stdout, 'before\n');
  assert.match(ended.stderr, /^TypeError: broken\n {4}at f \(<eval>:3:9\)\n {4}at <eval>:5:1\n$/);
});

test('a syntax error is an error of the code', async () => {
  const ended = await run('let = = 1');
  assert.equal(ended.code, 1);
  assert.match(ended.stderr, /^SyntaxError: /);
});

test('--timeout ends a run that takes too long', async () => {
  const ended = await run('for (;;);', '--timeout', '0.2');
  assert.deepEqual(ended, { code: 1, stdout: '', stderr: 'Execution timed out\n' });
});

test('--heap-memory-max ends a run that takes too much', async () => {
  const ended = await run('const all = []; for (;;) all.push({});', '--heap-memory-max', '16');
  assert.equal(ended.code, 1);
  assert.equal(ended.stderr, 'Out of memory: V8 heap limit exceeded. Try increasing --heap-memory-max.\n');
});

test('--input is the global `input`', async () => {
  const ended = await run('input.list.map((n) => n * 2)', '--input', '{"list": [1, 2]}');
  assert.equal(ended.stdout, '[2,4]\n');
});

test('Ctrl-C on a terminal cancels the run', { timeout: 30_000 }, async (t) => {
  const file = join(temporaryFolder(t), 'endless.js');
  writeFileSync(file, 'console.log("started"); for (;;);');
  const running = cayOnTerminal(t, ['run', file]);
  await running.seen(/started/);
  running.write('\x03');
  const { code, stdout } = await running.ended;
  assert.match(stdout, /Cancelled by user/);
  assert.equal(code, 130);
});

test('a reader that has had enough ends the run quietly', { timeout: 30_000 }, async (t) => {
  const running = startCay(t, ['run', '-']);
  const ended = running.end('for (;;) console.log("more");');
  await running.seen(/more/);
  running.stopReading();
  const { code, stderr } = await ended;
  assert.deepEqual({ code, stderr }, { code: 141, stderr: '' });
});

test('a heap whose file cannot be written is reported after the value', { timeout: 30_000 }, async (t) => {
  const folder = temporaryFolder(t);
  const running = startCay(t, ['run', '-', '--save', join(folder, 'state.heap')]);
  const ended = running.end('console.log("ready"); await new Promise((go) => setTimeout(go, 1000)); "value"');
  await running.seen(/ready\n/);
  rmSync(folder, { recursive: true });
  const { code, stdout, stderr } = await ended;
  assert.equal(code, 1);
  assert.equal(stdout, 'ready\n"value"\n');
  assert.match(stderr, /^heap not saved: Cannot write .*state\.heap: no such file or directory\n$/);
});
