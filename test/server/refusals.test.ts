import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { wholeFile } from '../cleanup.ts';
import { call, httpClient, refused, startServer } from './running.ts';

const file = wholeFile();
let client: Client;
before(async () => {
  client = await httpClient(file, (await startServer(file)).url);
});

const run = (given: Record<string, unknown>) => call(client, 'run_js', { wait_secs: 30, ...given });

const wrong: readonly (readonly [tool: string, given: Record<string, unknown>, message: string])[] = [
  ['run_js', {}, 'code: expected a string, got nothing'],
  ['run_js', { code: null }, 'code: expected a string, got null'],
  ['run_js', { code: 1 }, 'code: expected a string, got 1'],
  ['run_js', { code: '', heap: 3 }, 'heap: expected a string, got 3'],
  ['run_js', { code: '', wait_secs: 61 }, 'wait_secs: expected a number from 0 to 60, got 61'],
  ['run_js', { code: '', wait_secs: -1 }, 'wait_secs: expected a number from 0 to 60, got -1'],
  ['run_js', { code: '', heap_memory_max_mb: 7 }, 'heap_memory_max_mb: expected a whole number from 8 to 4096, got 7'],
  [
    'run_js',
    { code: '', heap_memory_max_mb: 4097 },
    'heap_memory_max_mb: expected a whole number from 8 to 4096, got 4097',
  ],
  [
    'run_js',
    { code: '', heap_memory_max_mb: 9.5 },
    'heap_memory_max_mb: expected a whole number from 8 to 4096, got 9.5',
  ],
  [
    'run_js',
    { code: '', execution_timeout_secs: 0 },
    'execution_timeout_secs: expected a whole number from 1 to 300, got 0',
  ],
  [
    'run_js',
    { code: '', execution_timeout_secs: 301 },
    'execution_timeout_secs: expected a whole number from 1 to 300, got 301',
  ],
  [
    'run_js',
    { code: '', execution_timeout_secs: '5' },
    'execution_timeout_secs: expected a whole number from 1 to 300, got "5"',
  ],
  ['run_js', { code: '', tags: ['a'] }, 'tags: expected an object, got ["a"]'],
  ['run_js', { code: '', tags: { a: 1 } }, 'tags.a: expected a string, got 1'],
  ['run_js', { code: '', timeout: 1 }, 'timeout: unknown, did you mean "execution_timeout_secs"?'],
  [
    'run_js',
    { code: '', script: 1 },
    'script: unknown: there are code, heap, wait_secs, input, heap_memory_max_mb, execution_timeout_secs, tags',
  ],
  ['run_js', { code: '', execution_timeout: 1 }, 'execution_timeout: unknown, did you mean "execution_timeout_secs"?'],
  ['list_executions', { limit: 1 }, 'limit: unknown: none is taken here'],
  [
    'get_execution',
    { id: 'x' },
    'execution_id: expected a string, got nothing\nid: unknown, did you mean "execution_id"?',
  ],
  [
    'get_execution_output',
    { execution_id: 'x', line_offset: 0 },
    'line_offset: expected a whole number of at least 1, got 0',
  ],
  [
    'get_execution_output',
    { execution_id: 'x', line_limit: 0 },
    'line_limit: expected a whole number of at least 1, got 0',
  ],
  [
    'get_execution_output',
    { execution_id: 'x', byte_offset: -1 },
    'byte_offset: expected a whole number of at least 0, got -1',
  ],
  [
    'get_execution_output',
    { execution_id: 'x', byte_offset: 0, byte_limit: 0 },
    'byte_limit: expected a whole number of at least 1, got 0',
  ],
  ['list_session_snapshots', { limit: 0 }, 'limit: expected a whole number of at least 1, got 0'],
  ['list_session_snapshots', { offset: -1 }, 'offset: expected a whole number of at least 0, got -1'],
  ['set_heap_tags', { heap: 'x' }, 'tags: expected an object, got nothing'],
  ['set_heap_tags', { heap: 'x', tags: null }, 'tags: expected an object, got null'],
  ['delete_heap_tags', { heap: 'x', keys: ['a'] }, 'keys: expected a string, got ["a"]'],
  ['delete_heap_tags', { heap: 'x', key: 'a' }, 'key: unknown, did you mean "keys"?'],
  ['query_heaps_by_tags', {}, 'tags: expected an object, got nothing'],
  ['cancel_execution', {}, 'execution_id: expected a string, got nothing'],
  ['cancel_execution', { execution_id: 5 }, 'execution_id: expected a string, got 5'],
  ['list_sessions', { session: 'x' }, 'session: unknown: none is taken here'],
];

for (const [tool, given, message] of wrong) {
  test(`refused: ${tool} ${JSON.stringify(given)}`, async () => {
    assert.equal(await refused(client, tool, given), message);
  });
}

test('refused: more than 64 tags, and tags that are too long', async () => {
  const many = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`k${index}`, 'v']));
  const { k0: _, ...most } = many;
  assert.equal((await run({ code: '1', tags: most })).status, 'completed');
  assert.equal(await refused(client, 'run_js', { code: '', tags: many }), 'tags: expected at most 64 tags, got 65');
  const message = 'tags: expected keys and values of at most 256 characters, got 257';
  assert.equal(await refused(client, 'set_heap_tags', { heap: 'x', tags: { a: 'x'.repeat(257) } }), message);
  assert.equal(await refused(client, 'query_heaps_by_tags', { tags: { ['x'.repeat(257)]: '' } }), message);
  const { heap } = await run({ code: '1' });
  assert.deepEqual(await call(client, 'set_heap_tags', { heap, tags: { a: '🏝'.repeat(256) } }), { ok: true });
});

test('refused: above the ceilings of the owner, with the ceiling', async () => {
  const over = 'heap_memory_max_mb: 513 MB is above the limit of 512 MB (--heap-memory-limit)';
  assert.equal(await refused(client, 'run_js', { code: '', heap_memory_max_mb: 513 }), over);
});

test('refused: more than 16 MiB of code', async () => {
  const message = await refused(client, 'run_js', { code: '/'.repeat(16 * 2 ** 20 + 1) });
  assert.equal(message, 'code: expected at most 16 MiB, got 16777217 bytes');
  assert.equal((await run({ code: `5;${'/'.repeat(16 * 2 ** 20 - 2)}` })).result, '5', 'as much as that is taken');
});
