import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../cleanup.ts';
import { toolbox } from '../upstreams/servers/configuration.ts';
import { cay, type Ended } from './cay.ts';

/** `cay code exec` in an empty data folder. */
const exec = (folder: string, args: readonly string[], input = ''): Promise<Ended> =>
  cay(['code', 'exec', '--data-dir', folder, ...args], input);

test('the answer is JSON on standard output, the console is on standard error', async (t) => {
  const folder = temporaryFolder(t);
  const ended = await exec(folder, [
    '--code=console.log("seen"); ({ result: input.value * 2 })',
    '--input={"value": 21}',
  ]);
  const answer = '{\n  "ok": true,\n  "value": {\n    "result": 42\n  }\n}\n';
  assert.deepEqual(ended, { code: 0, stdout: answer, stderr: 'seen\n' });
  assert.deepEqual(readdirSync(folder), [], 'nothing is left behind');
});

test('a failure is JSON on standard output too, with exit code 1', async (t) => {
  const { code, stdout, stderr } = await exec(temporaryFolder(t), ["--code=throw new Error('Test error')"]);
  const error = { code: 'RUNTIME_ERROR', message: 'Error: Test error', stack: 'Error: Test error\n    at <eval>:1:7' };
  assert.deepEqual([code, JSON.parse(stdout), stderr], [1, { ok: false, error, calls_made: 0, logs: '' }, '']);
});

test('code and input come from files, or the code from standard input', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'script.js'), 'return { hello: input.name };');
  writeFileSync(join(folder, 'typed.ts'), 'const f = <T,>(x: T): T => x; const number = 1; [f<number>(2)]');
  writeFileSync(join(folder, 'params.json'), '{"name": "Größe 🦜"}');
  const script = `--file=${join(folder, 'script.js')}`;
  const named = await exec(folder, [script, `--input-file=${join(folder, 'params.json')}`]);
  assert.deepEqual(JSON.parse(named.stdout), { ok: true, value: { hello: 'Größe 🦜' } });
  const typed = await exec(folder, [`--file=${join(folder, 'typed.ts')}`]);
  assert.deepEqual(JSON.parse(typed.stdout), { ok: true, value: [2] });
  const piped = await exec(folder, ['--file=-'], '1 + 1');
  assert.deepEqual(JSON.parse(piped.stdout), { ok: true, value: 2 });
});

describe('the configuration', () => {
  const write = (folder: string, content: object) =>
    writeFileSync(join(folder, 'config.json'), JSON.stringify(content));

  test('names the servers; enable_code_execution does not stop the command', async (t) => {
    const folder = temporaryFolder(t);
    write(folder, { enable_code_execution: false, mcpServers: { box: toolbox() } });
    const { stdout } = await exec(folder, ["--code=call_tool('box', 'add', {a: 1, b: 2}).result"]);
    assert.deepEqual(JSON.parse(stdout), { ok: true, value: { sum: 3 } });
  });

  test('gives what no flag gives, and a flag wins', async (t) => {
    const folder = temporaryFolder(t);
    write(folder, { code_execution_timeout_ms: 300, code_execution_max_tool_calls: 1 });
    const calls = "--code=call_tool('a', 'b', {}); call_tool('a', 'b', {}).error.code";
    const limited = JSON.parse((await exec(folder, [calls])).stdout);
    assert.equal(limited.error.message, 'Exceeded maximum tool calls limit (1)');
    assert.equal(JSON.parse((await exec(folder, [calls, '--max-tool-calls=0'])).stdout).value, 'SERVER_NOT_FOUND');
    assert.equal(JSON.parse((await exec(folder, ['--code=for (;;);'])).stdout).error.code, 'TIMEOUT');
  });

  test('comes from where --config says', async (t) => {
    const folder = temporaryFolder(t);
    const file = join(folder, 'other.json');
    writeFileSync(file, JSON.stringify({ code_execution_max_tool_calls: 2 }));
    const { stdout } = await cay(['code', 'exec', `--config=${file}`, "--code=for (;;) call_tool('a', 'b', {})"]);
    assert.equal(JSON.parse(stdout).error.message, 'Exceeded maximum tool calls limit (2)');
  });
});

test('--log-level decides what is on standard error', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ mcpServers: { box: toolbox() } }));
  const code = "--code=console.log('mine'); call_tool('box', 'add', {a: 1, b: 1}).ok";
  const quiet = await exec(folder, [code, '--log-level=error']);
  assert.deepEqual([quiet.code, quiet.stderr], [0, '']);
  const loud = await exec(folder, [code, '--log-level=debug']);
  assert.match(loud.stderr, /mine\n/);
  assert.match(loud.stderr, /Calling box\.add \(call 1\)/);
});

describe('bad arguments are refused with exit code 2, and nothing runs', () => {
  const cases: readonly [args: readonly string[], text: RegExp][] = [
    [[], /either --code or --file, got neither/],
    [['--code=1', '--file=x'], /either --code or --file, got both/],
    [['--file=/nonexistent/script.js'], /Cannot read \/nonexistent\/script\.js: no such file/],
    [['--code=1', '--input=nope'], /--input: expected a JSON object: /],
    [['--code=1', '--input=[1]'], /--input: expected a JSON object, got \[1\]/],
    [['--code=1', '--input={}', '--input-file=x'], /either --input or --input-file, got both/],
    [['--code=1', '--input-file=/nonexistent'], /Cannot read \/nonexistent/],
    [['--code=1', '--timeout=0'], /Expected a whole number from 1 to 600000/],
    [['--code=1', '--timeout=600001'], /Expected a whole number from 1 to 600000/],
    [['--code=1', '--timeout=soon'], /Expected a whole number from 1 to 600000/],
    [['--code=1', '--max-tool-calls=-1'], /Expected a whole number of at least 0/],
    [['--code=1', '--log-level=loud'], /Allowed choices are /],
    [['--code=1', '--language=python'], /Allowed choices are javascript, typescript/],
    [['--code=1', '--config=/nonexistent.json'], /Cannot read the configuration \/nonexistent\.json/],
    [['--code=1', '--timout=5'], /unknown option '--timout=5'/],
    [['--code=1', 'extra'], /too many arguments/],
  ];
  for (const [args, text] of cases) {
    test(args.join(' ') || 'no arguments', async (t) => {
      const { code, stdout, stderr } = await exec(temporaryFolder(t), args);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, text);
    });
  }

  test('a configuration that is wrong', async (t) => {
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ code_execution_timeout_ms: 0 }));
    const { code, stderr } = await exec(folder, ['--code=1']);
    assert.deepEqual([code, stderr.includes(`code_execution_timeout_ms (${folder}/config.json): `)], [2, true]);
  });
});

test('`cay code` says what there is', async () => {
  const { code, stderr } = await cay(['code']);
  assert.equal(code, 2);
  assert.match(stderr, /exec/);
});
