import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Engine } from '../../src/engine/engine.ts';
import { createExecutions } from '../../src/executions/executions.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { temporaryFolder } from '../cleanup.ts';
import { Random } from '../engine/fuzz/random.ts';
import { testSeed } from '../engine/seed.ts';

/** Of the 200 that come with CAY_FAULTS_SHARE=1; test/faults/kill-server.test.ts has the others. */
const rounds = Math.max(1, Math.round(120 * Number(process.env.CAY_FAULTS_SHARE ?? 0.1)));
const busy = fileURLToPath(new URL('./busy-executions.ts', import.meta.url));

interface Said {
  readonly kind: 'ready' | 'taken' | 'ended';
  readonly id: string;
  readonly status: string;
  readonly result: string | null;
  readonly heap: string | null;
}

/** Runs the busy process on a folder and kills it a while after it got to work. */
async function killWhileBusy(folder: string, afterMs: number): Promise<Said[]> {
  const child = spawn(process.execPath, [busy, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const said: Said[] = [];
  const ready = Promise.withResolvers<void>();
  createInterface(child.stdout).on('line', (line) => {
    if (!line.endsWith('}')) return; // cut by the kill
    const message: Said = JSON.parse(line);
    if (message.kind === 'ready') ready.resolve();
    else said.push(message);
  });
  await Promise.race([ready.promise, closed]);
  await setTimeout(afterMs); // the moment of the kill is what is being varied
  child.kill('SIGKILL');
  await closed;
  return said;
}

test(`kill -9 at ${rounds} random moments loses nothing that was acknowledged`, async (context) => {
  const folder = temporaryFolder(context);
  const random = new Random(testSeed());
  const engine = new Engine({ size: 2 });
  const totals = { taken: 0, ended: 0, ran: 0, failed: 0 };
  try {
    for (let round = 0; round < rounds; round++) {
      const said = await killWhileBusy(folder, random.below(300));
      const store = await openSqliteStore({ folder, codec: engine.build.addon, cacheMb: 32 });
      const before = new Map((await store.executions.unfinished()).map((execution) => [execution.id, execution]));
      const limits = { maxConcurrent: 2, heapMb: 128, heapMbLimit: 512, timeoutMs: 30_000, timeoutMsLimit: 300_000 };
      const executions = await createExecutions({ store, engine, limits: { ...limits, maxOutputBytes: 2 ** 26 } });
      for (const { kind, id, status, result, heap } of said) {
        const now = await executions.wait(id, 60_000);
        assert.ok(now, `${id} was taken and is there`);
        if (kind === 'taken') totals.taken++;
        const left = before.get(id);
        if (kind === 'ended') {
          totals.ended++;
          assert.deepEqual([now.status, now.result, now.outputHeap], [status, result, heap]);
        } else if (left?.started) {
          totals.failed++;
          assert.deepEqual([now.status, now.error], ['failed', 'The server stopped while this execution was running']);
        } else if (left) {
          totals.ran++;
          assert.equal(now.status, 'completed', now.error ?? '');
        }
        if (now.status === 'completed') {
          assert.ok(now.outputHeap && (await store.heaps.get(now.outputHeap)), 'its heap is there, with its hash');
          assert.deepEqual((await executions.page(id, {}))?.totalLines, 20);
        }
      }
      await executions.close();
      await store.close();
    }
  } finally {
    await engine.close();
  }
  context.diagnostic(`${rounds} kills: ${JSON.stringify(totals)}`);
});
