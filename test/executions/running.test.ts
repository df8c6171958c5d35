import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { heapOf, runToEnd, testServer } from './server.ts';

const server = await testServer();

test('an execution leaves a heap from which the next goes on', async () => {
  const first = await runToEnd(server, 'let x = 40; console.log("hi"); x');
  assert.deepEqual([first.status, first.result, first.error], ['completed', '40', null]);
  assert.deepEqual([first.inputHeap, first.heapRestored, first.heapError], [null, null, null]);
  assert.match(heapOf(first), /^[0-9a-f]{64}$/);
  const second = await runToEnd(server, { code: 'x + 2', heap: heapOf(first) });
  assert.equal(second.result, '42');
  assert.deepEqual([second.inputHeap, second.heapRestored], [first.outputHeap, true]);
});

test('two executions branch from one heap', async () => {
  const heap = heapOf(await runToEnd(server, 'let list = [1]'));
  const [left, right] = await Promise.all([
    runToEnd(server, { code: 'list.push("left"); list', heap }),
    runToEnd(server, { code: 'list.push("right"); list', heap }),
  ]);
  assert.deepEqual([left.result, right.result], ['[1,"left"]', '[1,"right"]']);
});

describe('the result is JSON text, or what console.log would print', () => {
  const results: [code: string, result: string | null][] = [
    ['({ a: [1, "é"] })', '{"a":[1,"é"]}'],
    ['"text"', '"text"'],
    ['undefined', null],
    ['let y = 1', null],
    ['null', 'null'],
    ['10n', '10n'],
    ['new Map([[1, 2]])', 'Map(1) { 1 => 2 }'],
    ['if (true) { 7 }', '7'],
    ['return await Promise.resolve(8)', '8'],
    ['input.n + 1', '42'],
  ];
  for (const [code, result] of results) {
    test(code, async () => {
      const execution = await runToEnd(server, { code, input: { n: 41 } });
      assert.equal(execution.error, null);
      assert.equal(execution.result, result);
    });
  }
});

describe('an execution that fails says why', () => {
  const empty = '\nThis run began empty: pass `heap` to continue from an earlier run';
  const errors: [code: string, error: string][] = [
    ['\nthrow new TypeError("no")', 'TypeError: no\n    at <eval>:2:7'],
    ['nothing', `ReferenceError: nothing is not defined\n    at <eval>:1:1${empty}`],
    ['let = =', 'SyntaxError: '],
    ['new Uint8Array(2 ** 30)', 'Out of memory: V8 heap limit exceeded. Try increasing heap_memory_max_mb.'],
  ];
  for (const [code, error] of errors) {
    test(code, async () => {
      const execution = await runToEnd(server, code);
      assert.equal(execution.status, 'failed');
      const same = error.endsWith(': ') ? execution.error?.startsWith(error) : execution.error === error;
      assert.ok(same, JSON.stringify(execution.error));
      assert.deepEqual([execution.result, execution.outputHeap], [null, null]);
    });
  }

  test('a ReferenceError in a run that has a heap gets no hint', async () => {
    const heap = heapOf(await runToEnd(server, '1'));
    const execution = await runToEnd(server, { code: 'nothing', heap });
    assert.equal(execution.error, 'ReferenceError: nothing is not defined\n    at <eval>:1:1');
  });
});

test('a time-out counts neither the queue nor the snapshot, and says so', async () => {
  const execution = await runToEnd(server, { code: 'console.log("before"); for (;;);', timeoutMs: 150 });
  assert.deepEqual([execution.status, execution.error], ['timed_out', 'Execution timed out']);
  assert.ok((execution.durationMs ?? 0) >= 150);
  const page = await server.executions.page(execution.id, {});
  assert.deepEqual([page?.data, page?.status], ['before\n', 'timed_out']);
});

test('times and fields are those of the submission', async () => {
  const before = Date.now();
  const submitted = await server.executions.submit({
    code: '1',
    session: 'times',
    tags: { a: 'b' },
    heapMb: 64,
    timeoutMs: 5000,
  });
  assert.deepEqual([submitted.status, submitted.completedAt], ['running', null]);
  assert.deepEqual([submitted.heapMb, submitted.timeoutMs, submitted.session], [64, 5000, 'times']);
  const ended = await server.executions.wait(submitted.id, 10_000);
  assert.ok(ended && ended.submittedAt >= before && ended.submittedAt === submitted.submittedAt);
  assert.ok((ended.completedAt ?? 0) >= ended.submittedAt);
  assert.ok(ended.durationMs !== null && ended.durationMs > 0);
  assert.equal(ended.queuePosition, null);
});

test('a lone surrogate becomes U+FFFD, and nothing fails on it', async () => {
  const execution = await runToEnd(server, {
    code: 'console.log("\ud800"); "\udfff".length',
    session: 's\ud800',
    tags: { '\ud800': '\ud800' },
  });
  assert.equal(execution.status, 'completed');
  assert.deepEqual(execution.tags, { '\ufffd': '\ufffd' });
  assert.equal(execution.session, 's\ufffd');
  assert.equal((await server.executions.page(execution.id, {}))?.data, '\ufffd\n');
  const input = {
    '\udc00': ['a\ud800', { deep: '\udbff\ud83c\udfdd\ud83c' }],
    written: '\\ud800 \\\\ud800',
    '\ud83c\udfdd': '🏝',
  };
  const { result } = await runToEnd(server, { code: 'input', input });
  assert.deepEqual(JSON.parse(result ?? ''), {
    '\ufffd': ['a\ufffd', { deep: '\ufffd🏝\ufffd' }],
    written: '\\ud800 \\\\ud800',
    '🏝': '🏝',
  });
  assert.equal((await runToEnd(server, { code: 'input.length', input: '\\\ud800' })).result, '2');
});
