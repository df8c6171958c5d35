import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { atEnd, temporaryFolder } from '../cleanup.ts';
import { isRunning, open } from './opened.ts';
import { toolbox } from './servers/configuration.ts';

async function gone(pid: number): Promise<void> {
  while (isRunning(pid)) await setTimeout(20);
}

test('whatever a server has started ends with it', async (t) => {
  const { upstreams, call } = open(t, { box: toolbox() });
  const child = Number((await call('box', 'spawn_child')).pid);
  assert.equal(isRunning(child), true);
  await upstreams.close();
  await gone(child);
});

test('whatever a server has started ends when the server has died', async (t) => {
  const { call } = open(t, { box: toolbox() });
  const child = Number((await call('box', 'spawn_child')).pid);
  await assert.rejects(call('box', 'crash'), /exit code 3/);
  await gone(child);
  assert.deepEqual(await call('box', 'add', { a: 1, b: 2 }), { sum: 3 });
});

test('a server that neither ends with its input nor when it is told to is killed', async (t) => {
  const { upstreams, call } = open(t, { box: toolbox({ stubborn: true }) });
  const { pid } = await call('box', 'where');
  const began = performance.now();
  await upstreams.close();
  assert.ok(performance.now() - began < 6000);
  await gone(Number(pid));
});

test('a server that is still starting when we close ends too', async (t) => {
  const starts = join(temporaryFolder(t), 'starts');
  const { upstreams } = open(t, { box: toolbox({ starts, startDelay: 60_000, stubborn: true }) });
  let pid = 0;
  while (pid === 0) {
    await setTimeout(20);
    try {
      pid = Number(readFileSync(starts, 'utf8'));
    } catch {
      // it has not started yet
    }
  }
  await upstreams.close();
  await gone(pid);
});

/** A process of its own that has an upstream with a child, and prints the two ids. */
async function owner(t: TestContext, server: object): Promise<{ kill(signal: NodeJS.Signals): void; pids: number[] }> {
  const file = join(temporaryFolder(t), 'owner.ts');
  const source = join(import.meta.dirname, '../../src/upstreams/upstreams.ts');
  writeFileSync(
    file,
    `import { pino } from ${JSON.stringify(import.meta.resolve('pino'))};
    import { openUpstreams } from ${JSON.stringify(source)};
    const upstreams = openUpstreams({ servers: { box: ${JSON.stringify(server)} }, environment: process.env, version: '1', log: pino({ level: 'silent' }) });
    const call = async (tool) => (await upstreams.call({ server: 'box', tool, args: {}, signal: new AbortController().signal })).structuredContent.pid;
    process.on('SIGTERM', () => process.exit(1));
    console.log(JSON.stringify([await call('where'), await call('spawn_child')]));`,
  );
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  atEnd(t, () => child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  return { kill: (signal) => void child.kill(signal), pids: JSON.parse(String(line)) };
}

test('when we exit without closing, servers and what they started are killed', async (t) => {
  const { kill, pids } = await owner(t, toolbox({ stubborn: true }));
  kill('SIGTERM');
  for (const pid of pids) await gone(pid);
});

test('when we are killed, a server that ends with its input ends', async (t) => {
  const { kill, pids } = await owner(t, toolbox());
  const [server = 0, child = 0] = pids;
  atEnd(t, () => process.kill(child, 'SIGKILL'));
  kill('SIGKILL');
  await gone(server);
});

test("a server's stderr is logged line by line under its name, with long lines cut", async (t) => {
  const { call, log } = open(t, { box: toolbox() });
  await call('box', 'print_error', { line: 'one\ntwo ä🦜\n\n' });
  await call('box', 'print_error', { line: `long ${'x'.repeat(100_000)} end` });
  while (!log().includes('[truncated]')) await setTimeout(10);
  const lines = log()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ upstream }) => upstream === 'box');
  const texts = lines.map(({ msg }) => msg);
  assert.deepEqual(texts.slice(texts.indexOf('one'), texts.indexOf('one') + 2), ['one', 'two ä🦜']);
  const long = texts.find((text) => text.startsWith('long'));
  assert.equal(long.length, 2000 + ' [truncated]'.length);
});

test('a server that floods its stderr neither stands still nor fills the log', async (t) => {
  const { call, log } = open(t, { box: toolbox({ flood: true }) });
  for (let i = 0; i < 50; i++) assert.deepEqual(await call('box', 'add', { a: i, b: 1 }), { sum: i + 1 });
  await setTimeout(300);
  assert.match(log(), /noise/);
  assert.ok(log().length < 200_000, `${log().length} bytes of log`);
});
