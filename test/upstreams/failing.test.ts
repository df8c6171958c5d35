import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { atEnd, temporaryFolder } from '../cleanup.ts';
import { isRunning, open } from './opened.ts';
import { toolbox } from './servers/configuration.ts';
import { startHttpToolbox } from './servers/http-toolbox.ts';
import { startSseToolbox } from './servers/sse-toolbox.ts';

const startsIn = (file: string) => readFileSync(file, 'utf8').trim().split('\n').length;

test('a server that dies in the middle of a call says so, and is there again for the next one', async (t) => {
  const { call, status } = open(t, { box: toolbox() });
  await call('box', 'print_error', { line: 'my last words' });
  await assert.rejects(call('box', 'crash'), {
    code: 'upstream_error',
    message:
      "Server 'box' was lost in the middle of the call of 'crash': its process ended with exit code 3; " +
      'its stderr ends with: my last words',
  });
  assert.deepEqual(await call('box', 'add', { a: 1, b: 2 }), { sum: 3 });
  assert.match(status('box').lastError ?? '', /exit code 3/);
  assert.equal(status('box').state, 'connected');
});

test('all calls in flight end when the server dies', async (t) => {
  const { call } = open(t, { box: toolbox() });
  await call('box', 'add', { a: 1, b: 2 });
  const slow = Array.from({ length: 5 }, () => call('box', 'never'));
  const ends = Promise.allSettled([...slow, call('box', 'crash')]);
  for (const { status, ...rest } of await ends) {
    assert.equal(status, 'rejected');
    assert.match(String(Object(rest).reason.message), /was lost in the middle of the call/);
  }
});

test('an HTTP server that dies in the middle of a call says so at once, and is found again when it is back', async (t) => {
  for (const start of [startHttpToolbox, startSseToolbox]) {
    const first = await start();
    const { call, becomes } = open(t, { web: { url: first.url } });
    await call('web', 'add', { a: 1, b: 2 });
    const pending = call('web', 'never');
    await call('web', 'add', { a: 1, b: 2 });
    const began = performance.now();
    await Promise.all([
      assert.rejects(pending, { code: 'upstream_error', message: /^Server 'web' was lost in the middle of the call/ }),
      first.close(),
    ]);
    assert.ok(performance.now() - began < 5000);
    await becomes('web', 'waiting');
    const second = await start({ port: first.port });
    atEnd(t, () => second.close());
    await becomes('web', 'connected');
    assert.deepEqual(await call('web', 'add', { a: 3, b: 4 }), { sum: 7 });
  }
});

test('an HTTP server that has forgotten us is greeted again, and the call is made', async (t) => {
  const web = await startHttpToolbox();
  atEnd(t, () => web.close());
  const { call } = open(t, { web: { url: web.url } });
  await call('web', 'add', { a: 1, b: 2 });
  web.forget();
  assert.deepEqual(await call('web', 'add', { a: 1, b: 3 }), { sum: 4 });
  assert.equal((await call('web', 'count_calls', { tool: 'add' })).calls, 2);
});

test('a server that is not there at the start is found when it comes', async (t) => {
  const place = await startHttpToolbox();
  await place.close();
  const { call, status, becomes } = open(t, { web: { url: place.url } });
  await assert.rejects(call('web', 'add'), {
    code: 'upstream_error',
    message: /^Server 'web' is not connected: .*ECONNREFUSED 127\.0\.0\.1:\d+/,
  });
  assert.equal(status('web').state, 'waiting');
  assert.ok((status('web').nextAttemptAt ?? 0) > Date.now() - 1000);
  const web = await startHttpToolbox({ port: place.port });
  atEnd(t, () => web.close());
  await becomes('web', 'connected');
  assert.deepEqual(await call('web', 'add', { a: 1, b: 2 }), { sum: 3 });
});

test('a call does not wait for the end of a long wait', async (t) => {
  const folder = temporaryFolder(t);
  const starts = join(folder, 'starts');
  const { call, status, until } = open(t, { box: toolbox({ starts, failStarts: 4 }) });
  await until(() => status('box').state === 'waiting' && startsIn(starts) === 4);
  const waitUntil = status('box').nextAttemptAt ?? 0;
  assert.ok(waitUntil > Date.now() + 2000, 'the fourth wait is long');
  await assert.rejects(call('box', 'add', { a: 1, b: 2 }), /is not connected: .*not this time/);
  await setTimeout(1100); // a failure is fresh for a second
  assert.deepEqual(await call('box', 'add', { a: 1, b: 2 }), { sum: 3 });
  assert.ok(Date.now() < waitUntil);
});

test('the waits between attempts grow', async (t) => {
  const starts = join(temporaryFolder(t), 'starts');
  const { upstreams, status, becomes } = open(t, { box: toolbox({ starts, failStarts: 3 }) });
  const waits: number[] = [];
  upstreams.onChange(() => {
    const { state, nextAttemptAt, since } = status('box');
    if (state === 'waiting') waits.push((nextAttemptAt ?? 0) - since);
  });
  await becomes('box', 'connected');
  assert.equal(waits.length, 3);
  const [first = 0, second = 0, third = 0] = waits;
  assert.ok(first >= 375 && first <= 501, `${first}`);
  assert.ok(second > first && third > second, `${waits}`);
});

test('a command that is not there, a folder that is not there and a server that ends at once are explained', async (t) => {
  const folder = temporaryFolder(t);
  const place = await startHttpToolbox();
  await place.close();
  const { status, until } = open(t, {
    absent: { command: 'no-such-command-anywhere' },
    homeless: { command: process.execPath, cwd: join(folder, 'nowhere') },
    ended: { command: process.execPath, args: ['-e', 'console.error("bad luck"); process.exit(7)'] },
    silent: { command: 'true' },
    refused: { url: place.url },
  });
  await until(() =>
    ['absent', 'homeless', 'ended', 'silent', 'refused'].every((name) => status(name).state === 'waiting'),
  );
  assert.equal(status('absent').lastError, 'the command no-such-command-anywhere was not found');
  assert.equal(status('homeless').lastError, `there is no folder ${join(folder, 'nowhere')}`);
  assert.equal(status('ended').lastError, 'its process ended with exit code 7; its stderr ends with: bad luck');
  assert.equal(status('silent').lastError, 'its process ended with exit code 0');
  assert.match(status('refused').lastError ?? '', /ECONNREFUSED/);
});

test('one server that cannot be reached does not hold up the others', async (t) => {
  const { call } = open(t, { bad: { command: 'no-such-command-anywhere' }, good: toolbox() });
  assert.deepEqual(await call('good', 'add', { a: 1, b: 2 }), { sum: 3 });
});

test('a tool that never answers is cancelled upstream at the time-out of its server', async (t) => {
  const { call } = open(t, { box: { ...toolbox(), timeout_ms: 200 } });
  await assert.rejects(call('box', 'never'), {
    code: 'upstream_error',
    message: "Tool 'never' of server 'box' did not answer within 200 ms (timeout_ms)",
  });
  while ((await call('box', 'count_calls')).cancelled !== 1);
});

test('a cancelled call is cancelled upstream, over every transport, and returns at once', async (t) => {
  const http = await startHttpToolbox();
  const sse = await startSseToolbox();
  atEnd(t, () => Promise.all([http.close(), sse.close()]));
  const { upstreams, call, until } = open(t, { box: toolbox(), http: { url: http.url }, sse: { url: sse.url } });
  for (const server of ['box', 'http', 'sse']) {
    await call(server, 'add', { a: 1, b: 1 });
    const aborter = new AbortController();
    const slow = upstreams.call({ server, tool: 'slow', args: { ms: 60_000 }, signal: aborter.signal });
    while ((await call(server, 'count_calls', { tool: 'slow' })).calls !== 1);
    aborter.abort();
    const began = performance.now();
    await assert.rejects(slow, {
      code: 'cancelled',
      message: `The call of 'slow' on server '${server}' was cancelled`,
    });
    assert.ok(performance.now() - began < 100);
    while ((await call(server, 'count_calls')).cancelled !== 1);
    await until(() => upstreams.status().every(({ callsInFlight }) => callsInFlight === 0));
  }
});

test('a call that was cancelled before it began does not reach the server', async (t) => {
  const { upstreams, call } = open(t, { box: toolbox() });
  await call('box', 'add', { a: 1, b: 1 });
  const signal = AbortSignal.abort();
  await assert.rejects(upstreams.call({ server: 'box', tool: 'text', args: { text: 'x' }, signal }), {
    code: 'cancelled',
  });
  assert.equal((await call('box', 'count_calls', { tool: 'text' })).calls, 0);
});

test('a call that waits for its turn can be cancelled, and the turn goes to the next', async (t) => {
  const { upstreams, call, status } = open(t, { box: { ...toolbox(), max_concurrent: 1 } });
  await call('box', 'add', { a: 1, b: 1 });
  const first = call('box', 'slow', { ms: 300 });
  const aborter = new AbortController();
  const second = upstreams.call({ server: 'box', tool: 'text', args: { text: '2' }, signal: aborter.signal });
  const third = call('box', 'count_calls', { tool: 'text' });
  aborter.abort();
  await assert.rejects(second, { code: 'cancelled' });
  assert.deepEqual(await first, { waited: 300 });
  assert.equal((await third).calls, 0);
  assert.equal(status('box').callsInFlight, 0);
});

test('calls that were cancelled do not hold connections to an HTTP server', async (t) => {
  const web = await startHttpToolbox();
  atEnd(t, () => web.close());
  const { upstreams, call } = open(t, { web: { url: web.url } });
  await call('web', 'add', { a: 1, b: 1 });
  const aborter = new AbortController();
  const slow = Array.from({ length: 20 }, () =>
    upstreams.call({ server: 'web', tool: 'never', args: {}, signal: aborter.signal }),
  );
  while ((await call('web', 'count_calls', { tool: 'never' })).calls !== 20);
  assert.ok((await web.connections()) >= 20);
  aborter.abort();
  await Promise.allSettled(slow);
  while ((await web.connections()) > 5) await setTimeout(20);
});

test('waiting for a server that is connecting ends with the signal', async (t) => {
  const { upstreams } = open(t, { box: toolbox({ startDelay: 60_000 }) });
  const signal = AbortSignal.timeout(100);
  await assert.rejects(upstreams.tools('box', signal), { code: 'cancelled' });
  await assert.rejects(upstreams.call({ server: 'box', tool: 'add', args: {}, signal }), { code: 'cancelled' });
});

test('no more calls run on a server at once than its configuration allows, in the order in which they came', async (t) => {
  const { call, status } = open(t, { box: { ...toolbox(), max_concurrent: 3 } });
  const order: number[] = [];
  const calls = Array.from({ length: 9 }, (_, index) =>
    call('box', 'slow', { ms: 50 }).then(() => order.push(Math.floor(index / 3))),
  );
  await Promise.resolve();
  assert.equal(status('box').callsInFlight, 3);
  await Promise.all(calls);
  assert.deepEqual(order, [0, 0, 0, 1, 1, 1, 2, 2, 2]);
  assert.equal((await call('box', 'count_calls')).most_running, 3);
});

test('a hundred calls run at once', async (t) => {
  const { call } = open(t, { box: toolbox() });
  await Promise.all(Array.from({ length: 100 }, () => call('box', 'slow', { ms: 200 })));
  assert.equal((await call('box', 'count_calls')).most_running, 100);
});

test('a new tool can be called as soon as it is announced, or without being announced', async (t) => {
  const http = await startHttpToolbox();
  atEnd(t, () => http.close());
  const { upstreams, text, until } = open(t, { box: toolbox(), web: { url: http.url } });
  for (const server of ['box', 'web']) {
    await assert.rejects(text(server, 'brand_new'), { code: 'tool_not_found' });
    await text(server, 'add_tool', { name: 'brand_new' });
    await until(() => upstreams.known().some((tool) => tool.server === server && tool.name === 'brand_new'));
    assert.equal(await text(server, 'brand_new'), 'brand_new');
  }
});

test('enabled_tools and disabled_tools choose what there is', async (t) => {
  const { upstreams, call, becomes } = open(t, {
    some: { ...toolbox(), enabled_tools: ['add', 'echo', 'text'], disabled_tools: ['echo'] },
    off: { ...toolbox(), enabled: false },
    alsoOff: { ...toolbox(), disabled: true },
  });
  await becomes('some', 'connected');
  assert.deepEqual(
    upstreams.known().map(({ name }) => name),
    ['add', 'text'],
  );
  await assert.rejects(call('some', 'echo'), { code: 'tool_not_found' });
  await assert.rejects(call('some', 'crash'), { code: 'tool_not_found' });
  assert.deepEqual(upstreams.names, ['some']);
  await assert.rejects(call('off', 'add'), { code: 'server_not_found' });
  assert.deepEqual(
    upstreams.status().map(({ name, state }) => [name, state]),
    [
      ['some', 'connected'],
      ['off', 'disabled'],
      ['alsoOff', 'disabled'],
    ],
  );
});

test('a server that prints to standard output is understood all the same', async (t) => {
  const file = join(temporaryFolder(t), 'chatty.mjs');
  const [script = ''] = toolbox().args;
  writeFileSync(file, `console.log("Welcome!"); console.log("{}"); await import(${JSON.stringify(script)});`);
  const { call } = open(t, { chatty: { command: process.execPath, args: [file] } });
  assert.deepEqual(await call('chatty', 'add', { a: 1, b: 2 }), { sum: 3 });
});

test('closing cancels what is in flight and leaves no process', async (t) => {
  const { upstreams, call } = open(t, { box: toolbox() });
  const { pid } = await call('box', 'where');
  const pending = assert.rejects(call('box', 'never'), { code: 'cancelled' });
  await upstreams.close();
  await pending;
  assert.equal(isRunning(Number(pid)), false);
  await assert.rejects(call('box', 'add'), { code: 'cancelled' });
});
