import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CayError } from '../../src/errors.ts';
import type { ExecutionStore, HeapStore, Store } from '../../src/store/types.ts';
import { ended, heapOf, runToEnd, testServer, underway } from '../executions/server.ts';

// The store is real; in front of it stands what a bad disk does.
const trouble = { damaged: new Set<string>(), foreign: new Set<string>(), full: false, heapsFull: false };
const full = () => new CayError('disk_full', 'The disk is full');

const server = await testServer({
  wrap: (store: Store): Store => {
    const heaps: HeapStore = {
      ...store.heaps,
      get: async (key) => {
        if (trouble.damaged.has(key)) throw new CayError('heap_damaged', `Heap '${key}' is damaged`);
        const heap = await store.heaps.get(key);
        if (!heap || !trouble.foreign.has(key)) return heap;
        return { ...heap, info: { ...heap.info, fingerprint: 'old', v8: '9.9' } };
      },
    };
    const executions: ExecutionStore = {
      ...store.executions,
      add: async (submission, started) => {
        if (trouble.full) throw full();
        return store.executions.add(submission, started);
      },
      finish: async (id, ending) => {
        if (trouble.full || (trouble.heapsFull && ending.heap)) throw full();
        return store.executions.finish(id, ending);
      },
    };
    const output = {
      append: async (...given: Parameters<Store['output']['append']>) => {
        if (trouble.full) throw full();
        return store.output.append(...given);
      },
      atByte: store.output.atByte,
      beforeLine: store.output.beforeLine,
      last: store.output.last,
      totals: store.output.totals,
    };
    return { ...store, heaps, executions, output };
  },
});
const { executions } = server;

test('a damaged heap, or one of another engine, fails the execution with the reason and harms nothing else', async () => {
  const [damaged, foreign, good] = [await leave(1), await leave(2), await leave(3)];
  trouble.damaged.add(damaged);
  trouble.foreign.add(foreign);
  const first = await runToEnd(server, { code: 'n', heap: damaged });
  assert.deepEqual([first.status, first.error, first.outputHeap], ['failed', `Heap '${damaged}' is damaged`, null]);
  const second = await runToEnd(server, { code: 'n', heap: foreign });
  assert.equal(second.status, 'failed');
  assert.match(second.error ?? '', /made by V8 9\.9, engine old; this is V8 \d/);
  assert.equal((await runToEnd(server, { code: 'n', heap: good })).result, '3');
});

test('a heap for which there is no room is an execution that completed without one', async () => {
  trouble.heapsFull = true;
  const execution = await runToEnd(server, 'console.log("said"); 5');
  trouble.heapsFull = false;
  assert.deepEqual([execution.status, execution.result, execution.outputHeap], ['completed', '5', null]);
  assert.equal(execution.heapError, 'The heap could not be saved: The disk is full');
  assert.equal((await executions.page(execution.id, {}))?.data, 'said\n');
});

test('a full disk refuses what is new, loses nothing that was taken, and goes on when there is room', async () => {
  const running = await underway(server);
  const queued = await executions.submit({ code: 'console.log("kept"); 7' });
  trouble.full = true;
  await assert.rejects(executions.submit({ code: '1' }), full());
  const message = `Execution '${running.id}' does not run any more, and its end is not stored yet: the disk is full. It will be, do not run it again`;
  await assert.rejects(executions.cancel(running.id), { code: 'disk_full', message });
  const unstored = await executions.get(running.id);
  assert.deepEqual([unstored?.status, unstored?.error], ['running', message]);
  assert.ok(executions.counts.unstored >= 1);
  trouble.full = false;
  assert.equal((await ended(executions, running.id)).status, 'cancelled');
  const end = await ended(executions, queued.id);
  assert.equal(end.result, '7');
  assert.equal((await executions.page(queued.id, {}))?.data, 'kept\n');
  assert.deepEqual(executions.counts, { running: 0, queued: 0, unstored: 0 });
});

async function leave(n: number): Promise<string> {
  return heapOf(await runToEnd(server, `let n = ${n}`));
}

test('whoever waits for the end of one is told that it ran, and its end is stored when there is room', async () => {
  const before = new Set((await executions.list()).map(({ id }) => id));
  const completing = executions.complete(
    { code: 'for (const end = Date.now() + 500; Date.now() < end; ); "ran"' },
    new AbortController().signal,
  );
  completing.catch(() => {}); // it is looked at below
  const added = async () => (await executions.list()).find(({ id }) => !before.has(id));
  let execution = await added();
  while (!execution) execution = await added();
  trouble.full = true;
  await assert.rejects(completing, { code: 'disk_full', message: /does not run any more.*do not run it again$/ });
  trouble.full = false;
  assert.equal((await ended(executions, execution.id)).result, '"ran"');
});
