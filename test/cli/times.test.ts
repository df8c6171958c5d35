import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spoken, spokenDuration } from '../../src/cli/times.ts';

test('a time is said as people say it', () => {
  const now = new Date(2026, 10, 15, 12, 0, 0);
  const ago = (seconds: number) => spoken(new Date(now.getTime() - seconds * 1000), now);
  assert.equal(ago(0.2), 'now');
  assert.equal(ago(3), '3 s ago');
  assert.equal(ago(59), '59 s ago');
  assert.equal(ago(60), '1 min ago');
  assert.equal(ago(3599), '59 min ago');
  assert.equal(ago(3600), '1 h ago');
  assert.equal(ago(86_399), '23 h ago');
  assert.equal(ago(86_400), '2026-11-14 12:00', 'a day ago and more has a date');
  assert.equal(ago(-5), 'now', 'a clock that is a little ahead');
  assert.equal(ago(-3600), '2026-11-15 13:00');
  assert.equal(spoken(new Date('nonsense'), now), '');
});

test('so is how long something took', () => {
  const cases: readonly [milliseconds: number, text: string][] = [
    [0, '0 ms'],
    [0.44, '0.4 ms'],
    [12.3, '12 ms'],
    [999.4, '999 ms'],
    [1000, '1.0 s'],
    [9940, '9.9 s'],
    [9960, '10 s'],
    [59_400, '59 s'],
    [60_000, '1 min 0 s'],
    [125_000, '2 min 5 s'],
    [3_600_000, '1 h 0 min'],
    [9_000_000, '2 h 30 min'],
  ];
  for (const [milliseconds, text] of cases) assert.equal(spokenDuration(milliseconds), text);
});
