import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { wholeFile } from '../cleanup.ts';
import { call, httpClient, type RunningServer, startServer } from './running.ts';

const file = wholeFile();
let server: RunningServer;
let client: Client;
before(async () => {
  server = await startServer(file, { args: ['--max-output-mb', '1'] });
  client = await httpClient(file, server.url);
});

const page = (execution_id: unknown, given: Record<string, unknown> = {}) =>
  call(client, 'get_execution_output', { execution_id, ...given });
const run = (code: string) => call(client, 'run_js', { code, wait_secs: 30 });

test('a line is readable from outside within 50 ms', async () => {
  const code = 'for (let i = 0; i < 15; i++) { const t = Date.now(); console.log(t); while (Date.now() < t + 60); }';
  const { execution_id } = await call(client, 'run_js', { code });
  const response = await fetch(`${server.url}/api/executions/${execution_id}/events`);
  const delays: number[] = [];
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    for (const [, printed] of text.matchAll(/"data":"(\d+)\\n"/g)) delays.push(Date.now() - Number(printed));
  }
  const median = delays.sort((a, b) => a - b)[Math.floor(delays.length / 2)] ?? Number.NaN;
  assert.ok(delays.length > 5 && median <= 50, `${delays}`);
});

const bursts = `for (let i = 1; i <= 1500; i++) {
  console.log(i + ' aé€😀');
  if (i % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
}`;
const whole = Array.from({ length: 1500 }, (_, index) => `${index + 1} aé€😀\n`).join('');

for (const [mode, offset, limit] of [
  ['line', 'next_line_offset', { line_limit: 33 }],
  ['byte', 'next_byte_offset', { byte_limit: 333 }],
] as const) {
  test(`a reader that follows ${offset} while the code runs sees everything once`, async () => {
    const { execution_id } = await call(client, 'run_js', { code: bursts });
    let data = '';
    let early = 0;
    for (let at = mode === 'line' ? 1 : 0; ; ) {
      const read = await page(execution_id, { [`${mode}_offset`]: at, ...limit });
      if (read.status === 'running' && read.data !== '') early++;
      data += read.data;
      at = Number(read[offset]);
      if (read.has_more === false && read.status !== 'running') break;
    }
    assert.equal(data, whole);
    assert.ok(early > 0, 'also while it ran');
  });
}

test('past the end, and where there is nothing', async () => {
  const { execution_id } = await run('console.log("é\\nb")');
  const end = { data: '', start_line: 3, end_line: 2, next_line_offset: 3, total_lines: 2 };
  const bytes = { start_byte: 5, end_byte: 5, next_byte_offset: 5, total_bytes: 5 };
  const expected = { execution_id, ...end, ...bytes, has_more: false, status: 'completed' };
  const beyond = [{ line_offset: 3 }, { line_offset: 1e9 }, { byte_offset: 5 }, { byte_offset: 1e12, byte_limit: 1 }];
  for (const given of beyond) assert.deepEqual(await page(execution_id, given), expected, JSON.stringify(given));
  const silent = await run('1');
  const { execution_id: _, ...nothing } = await page(silent.execution_id, {});
  assert.deepEqual(nothing, {
    data: '',
    start_line: 1,
    end_line: 0,
    next_line_offset: 1,
    total_lines: 0,
    start_byte: 0,
    end_byte: 0,
    next_byte_offset: 0,
    total_bytes: 0,
    has_more: false,
    status: 'completed',
  });
});

test('a byte page never cuts a character, and a change of mode loses nothing', async () => {
  const { execution_id } = await run('console.log("a€😀b\\nnext")'); // a: 0, €: 1-3, 😀: 4-7, b: 8, newline: 9
  const cut = async (byte_offset: number, byte_limit: number) => {
    const { data, start_byte, end_byte } = await page(execution_id, { byte_offset, byte_limit });
    return [data, start_byte, end_byte];
  };
  assert.deepEqual(await cut(0, 3), ['a', 0, 1], 'the end moves back');
  assert.deepEqual(await cut(1, 1), ['€', 1, 4], 'or forwards, when nothing would be left');
  assert.deepEqual(await cut(6, 5), ['😀b', 4, 9], 'the start moves back');
  assert.deepEqual(await cut(3, 2), ['€', 1, 4]);
  const within = await page(execution_id, { byte_offset: 0, byte_limit: 8 });
  assert.deepEqual([within.start_line, within.end_line, within.next_line_offset, within.has_more], [1, 1, 1, true]);
  const line = await page(execution_id, { byte_offset: 0, byte_limit: 10 });
  assert.deepEqual([line.data, line.end_line, line.next_line_offset], ['a€😀b\n', 1, 2]);
});

test('100 lines or 4,096 bytes by default; too large limits are cut, not refused', async () => {
  const { execution_id } = await run('for (let i = 0; i < 12000; i++) console.log("0123456789012345678")');
  const lines = async (given: Record<string, unknown>) => (await page(execution_id, given)).end_line;
  assert.equal(await lines({}), 100);
  assert.equal(await lines({ line_limit: 10_000 }), 10_000);
  assert.equal(await lines({ line_limit: 10_001 }), 10_000);
  const bytes = async (given: Record<string, unknown>) => (await page(execution_id, given)).end_byte;
  assert.equal(await bytes({ byte_offset: 0 }), 4096);
  assert.equal(await bytes({ byte_offset: 0, byte_limit: 2 ** 40 }), 12_000 * 20);
});

test('every method of the console, its marks and its placeholders', async () => {
  const { output } = await run(`
    console.log('%s is %d, %i, %f, %j %o %O%c', 'x', 1.5, 2.7, '3.5', { a: 1 }, [1], { b: 2 }, 'css', new Map([[1, 2]]));
    console.debug('debug'); console.dir({ deep: [1] }); console.info('i'); console.warn('w'); console.error('e');
    console.table([{ a: 1 }]); console.trace('t'); console.log('two\\nlines');`);
  const text: string = Object(output).data;
  const [first, ...rest] = text.split('\n');
  assert.equal(first, 'x is 1.5, 2, 3.5, {"a":1} [ 1, [length]: 1 ] { b: 2 } Map(1) { 1 => 2 }');
  assert.deepEqual(rest.slice(0, 5), ['debug', '{ deep: [ 1 ] }', '[INFO] i', '[WARN] w', '[ERROR] e']);
  assert.match(text, /│ 0 {7}│ 1 │\n/);
  assert.match(text, /\nTrace: t\n {4}at <eval>:4:\d+\ntwo\nlines\n$/);
});

test('output past the cap ends with one line that says so, and the run goes on', async () => {
  const { result, execution_id, status } = await run(
    'for (let i = 0; i < 30000; i++) console.log("x".repeat(99)); "done"',
  );
  assert.deepEqual([status, result], ['completed', '"done"']);
  const { total_lines, total_bytes } = await page(execution_id);
  const { data } = await page(execution_id, { line_offset: Number(total_lines) - 1, line_limit: 10 });
  assert.match(String(data), /^x{1,99}\n\[output truncated: more than 1048576 bytes\]\n$/);
  assert.ok(Number(total_bytes) <= 2 ** 20 + 100, `${total_bytes}`);
});
