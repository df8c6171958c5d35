import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { restoreHeap } from '../../src/heaps/restore.ts';
import { heapOf, runToEnd, testServer } from '../executions/server.ts';

const server = await testServer();
const first = await runToEnd(server, { code: 'let x = "state"', session: 'resolving' });
const key = heapOf(first);

describe('a heap is named by', () => {
  const names: [string, string, boolean][] = [
    ['its key', key, true],
    ['a prefix of 12 digits', key.slice(0, 12), true],
    ['a prefix of 63 digits', key.slice(0, 63), true],
    ['the id of the execution that left it', first.id, true],
    ['latest, in its session', 'latest', true],
    ['not by 11 digits', key.slice(0, 11), false],
    ['not by a key that is unknown', '0'.repeat(64), false],
    ['not by a key in capitals', key.toUpperCase(), false],
    ['not by anything else', '../../etc/passwd', false],
    ['not by nothing', '', false],
    ['not by a NUL', '\0', false],
  ];
  for (const [name, heap, found] of names) {
    test(name, async () => {
      const execution = await runToEnd(server, {
        code: 'typeof x',
        heap,
        session: heap === 'latest' ? 'resolving' : 'other',
      });
      assert.equal(execution.status, 'completed');
      assert.deepEqual([execution.result, execution.heapRestored], [found ? '"string"' : '"undefined"', found]);
      assert.equal(execution.inputHeap, found ? key : null);
      assert.equal(execution.heap, heap);
      if (heap === 'latest') assert.equal(execution.session, 'resolving');
    });
  }

  test('not by latest without a session, or in a session without heaps', async () => {
    assert.equal((await runToEnd(server, { code: '1', heap: 'latest' })).heapRestored, false);
    assert.equal((await runToEnd(server, { code: '1', heap: 'latest', session: 'new' })).heapRestored, false);
  });

  test('not by an execution that left none', async () => {
    const failed = await runToEnd(server, 'throw 1');
    assert.equal((await runToEnd(server, { code: '1', heap: failed.id })).heapRestored, false);
  });
});

test('a heap of another engine version is refused, and both versions are named', async () => {
  const { build } = server.engine;
  const other = { ...build, fingerprint: 'another', jit: { ...build.jit, v8: '1.2.3' } };
  await assert.rejects(restoreHeap(server.store.heaps, key, other), {
    code: 'heap_of_another_engine',
    message:
      `Heap '${key}' is of another engine version: it was made by V8 ${build.jit.v8}, engine ${build.fingerprint}; ` +
      'this is V8 1.2.3, engine another',
  });
});
