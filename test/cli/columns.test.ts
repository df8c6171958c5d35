import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columns } from '../../src/cli/columns.ts';
import { cut, displayWidth } from '../../src/cli/display-width.ts';

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

test('the width of a text is what a terminal gives it', () => {
  const widths = {
    größe: 5,
    'e\u0301': 1,
    '🦜': 2,
    '👩‍🔬': 2,
    日本語: 6,
    한국: 4,
    ｆｕｌｌ: 8,
    '\u001b[31mred\u001b[0m': 3,
  };
  for (const [text, width] of Object.entries(widths)) assert.equal(displayWidth(text), width, text);
});

test('what does not fit ends with an ellipsis, and no character is halved', () => {
  assert.equal(cut('exactly', 7), 'exactly');
  assert.equal(cut('too long', 7), 'too lo…');
  assert.equal(cut('日本語', 5), '日本…');
  assert.equal(cut('日本語', 4), '日…');
  assert.equal(cut('ab 🦜🦜', 6), 'ab 🦜…');
  assert.equal(cut('anything', 0), '');
});

test('wide characters do not break the alignment', () => {
  assert.equal(
    columns([
      ['日本', 'x'],
      ['abcde', 'y'],
    ]),
    '日本   x\nabcde  y',
  );
});
