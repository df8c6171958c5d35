import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FollowEvent } from '../../src/executions/types.ts';
import { runToEnd, testServer, underway } from './server.ts';

const server = await testServer();
const { executions } = server;

/** Prints numbered lines of text with characters of all lengths, in bursts. */
const printing = (lines: number) => `
  for (let i = 1; i <= ${lines}; i++) {
    console.log(i + ' ' + 'aé€😀'.repeat(i % 50));
    if (i % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  }`;
const text = (lines: number) =>
  Array.from({ length: lines }, (_, index) => `${index + 1} ${'aé€😀'.repeat((index + 1) % 50)}\n`).join('');

for (const mode of ['line', 'byte'] as const) {
  test(`a reader that follows the ${mode} cursor while it is written sees everything once`, async () => {
    const { id } = await executions.submit({ code: printing(3000) });
    let data = '';
    let at = mode === 'line' ? 1 : 0;
    let whileRunning = 0;
    for (;;) {
      const page = await executions.page(
        id,
        mode === 'line' ? { lineOffset: at, lineLimit: 37 } : { byteOffset: at, byteLimit: 777 },
      );
      assert.ok(page);
      if (page.status === 'running' && page.data !== '') whileRunning++;
      if (mode === 'line') assert.ok(page.data === '' || page.data.endsWith('\n'), 'no half lines');
      data += page.data;
      at = mode === 'line' ? page.nextLineOffset : page.nextByteOffset;
      if (!page.hasMore && page.status !== 'running') break;
      if (!page.hasMore) await executions.wait(id, 1);
    }
    assert.equal(data, text(3000));
    assert.ok(whileRunning > 0, 'pages came while it ran');
  });
}

test('a line is readable while the code runs on, and in the store a moment later', async () => {
  const { id } = await underway(server);
  const page = await executions.page(id, {});
  assert.deepEqual([page?.data, page?.status, page?.hasMore], ['here\n', 'running', false]);
  while (!(await server.store.output.last(id))) await executions.wait(id, 5);
  await executions.cancel(id);
});

test('follow gives status and output as they come, and ends with the terminal status', async () => {
  const { id } = await executions.submit({ code: printing(2000) });
  const events: FollowEvent[] = [];
  for await (const event of executions.follow(id, 0, AbortSignal.timeout(60_000))) events.push(event);
  const output = events.filter((event) => event.kind === 'output');
  assert.equal(output.map((event) => event.text).join(''), text(2000));
  for (const [index, event] of output.entries()) {
    assert.equal(event.startByte, index === 0 ? 0 : output[index - 1]?.endByte);
    assert.equal(event.endByte - event.startByte, Buffer.byteLength(event.text));
  }
  const statuses = events.filter((event) => event.kind === 'status').map((event) => event.execution.status);
  assert.equal(statuses.at(-1), 'completed');
  assert.equal(statuses.filter((status) => status !== 'running').length, 1);
  assert.equal(events.at(-1)?.kind, 'status');
});

test('follow begins at any byte, also of what has ended, and at the start of its character', async () => {
  const { id } = await runToEnd(server, 'console.log("aé€😀")');
  const from = async (byte: number) => {
    const texts = [];
    for await (const event of executions.follow(id, byte, AbortSignal.timeout(10_000))) {
      if (event.kind === 'output') texts.push(event.text);
    }
    return texts.join('');
  };
  assert.deepEqual(
    [await from(1), await from(2), await from(5), await from(11), await from(999)],
    ['é€😀\n', 'é€😀\n', '€😀\n', '', ''],
  );
});

test('follow ends when its reader leaves', async () => {
  const { id } = await underway(server);
  const leave = new AbortController();
  const events: string[] = [];
  for await (const event of executions.follow(id, 0, leave.signal)) {
    events.push(event.kind);
    if (event.kind === 'output') leave.abort();
  }
  assert.deepEqual(events, ['status', 'output']);
  await executions.cancel(id);
});

test('follow refuses what is not there', async () => {
  const first = executions.follow('nobody', 0, AbortSignal.timeout(1000))[Symbol.asyncIterator]().next();
  await assert.rejects(first, { code: 'not_found', message: "Execution 'nobody' not found" });
});

test('the newest line is told as it comes, to whoever waits for the end', async () => {
  const code = 'console.log("one\\ntwo\\n"); await 0; console.warn("x".repeat(5000))';
  const lines: string[] = [];
  const options = {
    milliseconds: 10_000,
    signal: new AbortController().signal,
    onLine: (line: string) => lines.push(line),
  };
  const { execution, page } = await executions.submitAndWait({ code }, options);
  assert.deepEqual(lines, ['two', `[WARN] ${'x'.repeat(993)}…`]);
  assert.equal(execution.status, 'completed');
  assert.deepEqual(page, await executions.page(execution.id, {}));
});

test('whoever waits is answered when the time is up, and the execution goes on', async () => {
  const code = 'console.log("begun"); for (;;) await new Promise((r) => setTimeout(r, 10))';
  const options = { milliseconds: 400, signal: new AbortController().signal, onLine: null };
  const { execution, page } = await executions.submitAndWait({ code }, options);
  assert.equal(execution.status, 'running');
  assert.deepEqual([page.status, page.data], ['running', 'begun\n']);
  assert.equal((await server.store.executions.get(execution.id))?.started, true);
  assert.deepEqual(await executions.cancel(execution.id), { ok: true });
});

test('wait answers when it ends, when the time is up, and when the caller leaves', async () => {
  const { id } = await underway(server);
  assert.equal((await executions.wait(id, 5))?.status, 'running');
  assert.equal((await executions.wait(id, 60_000, AbortSignal.abort()))?.status, 'running');
  const waiting = executions.wait(id, 60_000);
  await executions.cancel(id);
  assert.equal((await waiting)?.status, 'cancelled');
  assert.equal(await executions.wait('nobody', 60_000), null);
});

test('output past the cap ends with one line that says so, and the run goes on', async () => {
  const small = await testServer({ limits: { maxOutputBytes: 1000 } });
  const execution = await runToEnd(small, 'for (let i = 0; i < 1000; i++) console.log("line " + i); "done"');
  assert.equal(execution.result, '"done"');
  const page = await small.executions.page(execution.id, { lineLimit: 10_000 });
  assert.match(page?.data ?? '', /\n\[output truncated: more than 1000 bytes\]\n$/);
});
