import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columns } from '../../src/cli/columns.ts';

test('columns are aligned, and nothing follows the last cell', () => {
  const rows = [
    ['a', 'bb', ''],
    ['ccc', 'd', 'e'],
  ];
  assert.equal(columns(rows), 'a    bb\nccc  d   e');
  assert.equal(columns([]), '');
});

test('no cell moves the cursor, changes colours or ends the line', () => {
  assert.equal(columns([['\u001b[2J', 'a\r\nb\tc', '\u009b31m', 'größe 🦜']]), ' [2J  a b c   31m  größe 🦜');
});
