import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkTags, deleteTags, findTagged, getTags, setTags, tagKeys } from '../../src/heaps/tags.ts';
import { heapOf, runToEnd, testServer } from '../executions/server.ts';

const server = await testServer();
const { store } = server;

test('tags come with the execution, are replaced, and go', async () => {
  const heap = heapOf(await runToEnd(server, { code: 'let tagged = 1', tags: { env: 'production', model: 'v2' } }));
  assert.deepEqual(await getTags(store, heap), { env: 'production', model: 'v2' });
  assert.deepEqual(await setTags(store, heap, { env: 'staging', approved: 'true', model: 'v3' }), { ok: true });
  assert.deepEqual(await deleteTags(store, heap, tagKeys(' approved , model ,')), { ok: true });
  assert.deepEqual(await getTags(store, heap), { env: 'staging' });
  assert.deepEqual(await deleteTags(store, heap, null), { ok: true });
  assert.deepEqual(await getTags(store, heap), {});
});

test('an unknown heap has no tags, and gets none', async () => {
  const heap = 'f'.repeat(64);
  const missing = { ok: false, error: `Heap '${heap}' not found` };
  assert.deepEqual(await getTags(store, heap), {});
  assert.deepEqual(await setTags(store, heap, { a: 'b' }), missing);
  assert.deepEqual(await deleteTags(store, heap, null), missing);
});

test('queries match every pair; without any they give every tagged heap, newest first', async () => {
  const older = heapOf(await runToEnd(server, { code: 'let a = 1', tags: { team: 'x', n: '1' } }));
  const newer = heapOf(await runToEnd(server, { code: 'let a = 2', tags: { team: 'x', n: '2' } }));
  assert.deepEqual(
    (await findTagged(store, { team: 'x' })).map(({ heap }) => heap),
    [newer, older],
  );
  assert.deepEqual(await findTagged(store, { team: 'x', n: '1' }), [{ heap: older, tags: { team: 'x', n: '1' } }]);
  assert.deepEqual(await findTagged(store, { team: 'y' }), []);
  assert.deepEqual(
    (await findTagged(store, {})).map(({ heap }) => heap),
    [newer, older],
  );
});

test('a failed execution tags nothing', async () => {
  await runToEnd(server, { code: 'throw 1', tags: { failed: 'yes' } });
  assert.deepEqual(await findTagged(store, { failed: 'yes' }), []);
});

test('tags are texts, at most 64, of at most 256 characters', () => {
  const invalid = { code: 'invalid_argument' };
  const tags = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, '']));
  assert.equal(Object.keys(checkTags(tags(64))).length, 64);
  assert.throws(() => checkTags(tags(65)), { ...invalid, message: 'tags: expected at most 64 tags, got 65' });
  const message = 'tags: expected keys and values of at most 256 characters, got 257';
  assert.throws(() => checkTags({ ['😀'.repeat(257)]: '' }), { ...invalid, message });
  assert.deepEqual(checkTags({ ['😀'.repeat(256)]: 'x'.repeat(256) }), { ['😀'.repeat(256)]: 'x'.repeat(256) });
  assert.deepEqual(Object.keys(checkTags(JSON.parse('{"__proto__": "own"}'))), ['__proto__']);
});
