import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from '../../src/config/nearest.ts';

const names = ['code', 'heap', 'heap_memory_max_mb', 'execution_timeout_secs', 'tags', 'wait_secs'];

const cases: readonly (readonly [string, string | null])[] = [
  ['haep', 'heap'],
  ['Heap', 'heap'],
  ['tag', 'tags'],
  ['wait', 'wait_secs'],
  ['timeout', 'execution_timeout_secs'],
  ['maxHeapMemory', 'heap_memory_max_mb'],
  ['secs', null],
  ['waitSecs', 'wait_secs'],
  ['heap-memory-max', 'heap_memory_max_mb'],
  ['execution_timeout_ms', 'execution_timeout_secs'],
  ['something_else_altogether', null],
];

for (const [given, meant] of cases) {
  test(`${given} was meant to be ${meant}`, () => assert.equal(nearest(given, names), meant));
}

test('a long name costs no time', () => assert.equal(nearest('x'.repeat(1_000_000), names), null));
