import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { atEnd, type Cleanup, temporaryFolder, wholeFile } from '../cleanup.ts';
import { Cay, main } from '../cli/cay.ts';
import { exists, until } from '../engine/processes.ts';
import { json } from '../server/running.ts';
import { toolbox } from '../upstreams/servers/configuration.ts';
import { commandLine, startCodeServer } from './doors.ts';

const cleanup = wholeFile();
const { run, value, client, server } = await startCodeServer(cleanup, { servers: { box: toolbox() } });
const get = async (path: string) => json(await fetch(`${server.url}${path}`));
const never = "call_tool('box', 'never', {})";

async function cancelled(): Promise<number> {
  return Object(await value("call_tool('box', 'count_calls', { tool: 'never' }).result")).cancelled;
}

async function running(): Promise<string | undefined> {
  const { executions } = await get('/api/executions?status=running');
  return executions[0]?.execution_id;
}

/** Waits until the upstream works on a call of `never`; the execution's id. */
async function underway(): Promise<string> {
  for (;;) {
    const id = await running();
    const { calls } = id === undefined ? { calls: [] } : await get(`/api/executions/${id}/calls`);
    if (id !== undefined && calls.length > 0) return id;
  }
}

async function upstreamIsTold(before: number, count = 1): Promise<void> {
  while ((await cancelled()) < before + count) await setTimeout(20);
}

describe('what is in flight upstream is cancelled when the run ends', () => {
  test('by its time-out', async () => {
    const before = await cancelled();
    const { error, calls_made } = await run({ code: never, options: { timeout_ms: 400 } });
    assert.deepEqual([error?.code, calls_made], ['TIMEOUT', 1]);
    await upstreamIsTold(before);
  });

  test('by cancel_execution, which is told when its process is gone', async () => {
    const before = await cancelled();
    const answer = run({ code: `console.log('begun'); ${never}` });
    const id = await underway();
    const response = await fetch(`${server.url}/api/executions/${id}/cancel`, { method: 'POST' });
    assert.deepEqual(await json(response), { ok: true });
    assert.deepEqual(await answer, {
      ok: false,
      error: { code: 'CANCELLED', message: 'Cancelled by user', stack: '' },
      calls_made: 1,
      logs: 'begun\n',
    });
    await upstreamIsTold(before);
    const { calls } = await get(`/api/executions/${id}/calls`);
    assert.deepEqual([calls[0].outcome, calls[0].error.code], ['cancelled', 'CANCELLED']);
  });

  test('by the cancellation of an MCP client', async () => {
    const before = await cancelled();
    const abort = new AbortController();
    const answer = client.callTool({ name: 'code_execution', arguments: { code: never } }, { signal: abort.signal });
    const id = await underway();
    abort.abort();
    await assert.rejects(answer);
    await upstreamIsTold(before);
    while ((await get(`/api/executions/${id}`)).status === 'running') await setTimeout(10);
    assert.equal((await get(`/api/executions/${id}`)).status, 'cancelled');
  });

  test('by the end of the connection of a REST client', async () => {
    const before = await cancelled();
    const abort = new AbortController();
    const answer = fetch(`${server.url}/api/code/exec`, {
      method: 'POST',
      body: JSON.stringify({ code: never }),
      signal: abort.signal,
    });
    const id = await underway();
    abort.abort();
    await assert.rejects(answer);
    await upstreamIsTold(before);
    while ((await get(`/api/executions/${id}`)).status === 'running') await setTimeout(10);
    assert.equal((await get(`/api/executions/${id}`)).status, 'cancelled');
  });

  test('by an error in the code, also with many calls in flight', async () => {
    const before = await cancelled();
    const source = `const all = Array.from({ length: 20 }, () => tools.box.never());
      call_tool('box', 'slow', { ms: 100 }); throw new Error('enough')`;
    const { error, calls_made } = await run({ code: source });
    assert.deepEqual([error?.message, calls_made], ['Error: enough', 21]);
    await upstreamIsTold(before, 20);
  });

  test('by a cancel while it waits for its turn: it never starts', async () => {
    const settings = { CAY_CODE_EXECUTION_POOL_SIZE: '1' };
    const one = await startCodeServer(cleanup, { servers: { box: toolbox() }, settings });
    const first = one.run({ code: "call_tool('box', 'slow', { ms: 1000 }).ok" });
    const abort = new AbortController();
    const request = { name: 'code_execution', arguments: { code: "call_tool('box', 'add', { a: 1, b: 1 })" } };
    const waits = one.client.callTool(request, { signal: abort.signal });
    const list = async () => (await json(await fetch(`${one.server.url}/api/executions`))).executions;
    while ((await list()).length < 2) await setTimeout(5);
    abort.abort();
    await assert.rejects(waits);
    assert.equal((await first).value, true);
    assert.equal(Object(await one.value("call_tool('box', 'count_calls', { tool: 'add' }).result")).calls, 0);
  });
});

test('a run waits for calls that nobody awaits', async () => {
  const source = "tools.box.add({ a: 1, b: 1 }).then(({ sum }) => console.log(sum)); 'done'";
  assert.deepEqual(await run({ code: source, options: { include_logs: true } }), {
    ok: true,
    value: 'done',
    logs: '2\n',
  });
});

describe('`cay code exec` leaves no process behind', () => {
  /** The command with a server that writes its process id to a file, and that id. */
  function started(own: Cleanup, source: string, options = {}) {
    const starts = join(temporaryFolder(own), 'starts');
    const servers = { box: toolbox({ starts }), unused: toolbox({ starts }) };
    const command = new Cay(process.execPath, [main, ...commandLine({ code: source, options })], {
      env: { CAY_MCP_SERVERS: JSON.stringify(servers) },
    });
    atEnd(own, () => command.kill());
    return {
      command,
      hasStarted: () => existsSync(starts),
      pid: () => {
        const pids = readFileSync(starts, 'utf8').trim().split('\n').map(Number);
        assert.equal(pids.length, 1, 'only the server that is needed is started');
        return pids[0] ?? 0;
      },
    };
  }

  for (const [how, source, options, code] of [
    ['a success', "call_tool('box', 'add', { a: 1, b: 1 })", {}, 0],
    ['a failure', "call_tool('box', 'add', { a: 1, b: 1 }); throw 1", {}, 1],
    ['a time-out', never, { timeout_ms: 3000 }, 1],
  ] as const) {
    test(`after ${how}`, async (t) => {
      const { command, pid } = started(t, source, options);
      assert.equal((await command.end()).code, code);
      await until(() => !exists(pid()), 'the upstream is gone');
    });
  }

  test('after Ctrl-C', async (t) => {
    const { command, hasStarted, pid } = started(t, `console.log('begun'); ${never}`);
    await until(hasStarted, 'the upstream has started');
    await until(() => command.stderr.includes('begun'), 'the code has begun');
    command.interrupt();
    const { code, stdout } = await command.ended;
    assert.deepEqual([code, JSON.parse(stdout).error.code], [130, 'CANCELLED']);
    await until(() => !exists(pid()), 'the upstream is gone');
  });
});
