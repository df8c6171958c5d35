import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Engine } from '../../src/engine/engine.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { atEnd, temporaryFolder } from '../cleanup.ts';
import { Random } from '../engine/fuzz/random.ts';
import { testSeed } from '../engine/seed.ts';
import { json, startServer } from '../server/running.ts';
import { type Answer, endOf, keepBusy, lines, type Told } from './clients.ts';

/** Of the 200 that come with CAY_FAULTS_SHARE=1; test/faults/kill-executions.test.ts has the others. */
const kills = Math.max(1, Math.round(80 * Number(process.env.CAY_FAULTS_SHARE ?? 0.1)));
const stopped = 'The server stopped while this execution was running';

const totals = { taken: 0, ran: 0, failed: 0, ended: 0, code: 0, heaps: 0 };
const givenHeaps = new Set<string>();

/** Whether a server stands by what the one before it has told. */
async function check(url: string, told: readonly Told[]): Promise<void> {
  await Promise.all(told.map((one) => checkOne(url, one)));
  const logged = new Map<string, string[]>();
  for (const session of ['a', 'b', 'c']) {
    const { entries } = await json(await fetch(`${url}/api/sessions/${session}/snapshots?fields=output_heap`));
    logged.set(
      session,
      entries.map((entry: { output_heap: string }) => entry.output_heap),
    );
  }
  for (const one of told) {
    if (one.kind !== 'ended') continue;
    const { session, heap } = one.answer;
    assert.ok(heap && logged.get(session ?? '')?.includes(heap), `${one.id} is in the log of its session`);
  }
}

async function checkOne(url: string, told: Told): Promise<void> {
  totals[told.kind]++;
  const now = await endOf(url, told.id);
  if (told.kind === 'code') {
    assert.deepEqual([now.status, now.result, now.error], ['completed', told.result, null]);
    return;
  }
  if (told.kind === 'ended') assert.deepEqual(now, told.answer);
  else if (now.status === 'failed') {
    totals.failed++;
    assert.deepEqual([now.error, now.heap], [stopped, null]);
    return;
  }
  totals.ran++;
  assert.deepEqual([now.status, now.error], ['completed', null]);
  const { total_lines } = await json(await fetch(`${url}/api/executions/${told.id}/output`));
  assert.equal(total_lines, lines);
  await checkHeap(url, now);
}

/** It restores, and has in it what was told. */
async function checkHeap(url: string, { heap, result }: Answer): Promise<void> {
  assert.ok(heap);
  givenHeaps.add(heap);
  const body = JSON.stringify({ code: 'steps', heap, wait_secs: 60 });
  const again = await json(await fetch(`${url}/api/exec`, { method: 'POST', body }));
  assert.deepEqual([again.status, again.result, again.heap_restored], ['completed', result, true]);
}

test(`a server stands by what it has told when it was killed at ${kills} random moments`, async (t) => {
  const random = new Random(testSeed());
  const folder = temporaryFolder(t);
  const start = () =>
    startServer(t, {
      folder,
      args: ['--max-concurrent-executions', '2', '--log-level', 'error'],
      env: { CAY_ENABLE_CODE_EXECUTION: 'true' },
    });
  let told: Told[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const server = await start();
    const whileItTakesUp = random.chance(0.2);
    if (!whileItTakesUp) await check(server.url, told);
    const busy = whileItTakesUp ? null : keepBusy(server.url);
    await setTimeout(random.below(whileItTakesUp ? 50 : 400)); // the moment of the kill is what is being varied
    server.process.kill('SIGKILL');
    await once(server.process, 'close');
    if (busy) told = await busy;
  }
  const last = await start();
  await check(last.url, told);
  assert.equal(await last.stop(), 0);
  const engine = new Engine({ size: 1, spares: 0 });
  atEnd(t, () => engine.close());
  const store = await openSqliteStore({ folder, codec: engine.build.addon });
  atEnd(t, () => store.close());
  for (const key of givenHeaps) {
    const heap = await store.heaps.get(key);
    assert.ok(heap);
    assert.equal(createHash('sha256').update(heap.raw).digest('hex'), key);
    heap.done();
  }
  t.diagnostic(`${kills} kills: ${JSON.stringify({ ...totals, heaps: givenHeaps.size })}`);
});
