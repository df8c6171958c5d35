import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ObservedStream } from '../../src/runtimes/artifacts/observed-stream.ts';
import { Summary } from '../../src/runtimes/artifacts/text/summary.ts';
import type { Excerpt, Search } from '../../src/runtimes/artifacts/types.ts';
import { testSeed } from '../engine/seed.ts';

const seed = testSeed();
const runs = { seed, numRuns: 300 };

/** What the rules say, for an output that fits in memory. */
function naiveExcerpts(lines: readonly string[], { terms, contextLines, maxExcerpts }: Search): Excerpt[] {
  const patterns = terms.map((term) => new RegExp(RegExp.escape(term), 'iu'));
  const windows: { start: number; end: number }[] = [];
  for (const [index, line] of lines.entries()) {
    if (!patterns.some((pattern) => pattern.test(line))) continue;
    const start = Math.max(1, index + 1 - contextLines);
    const end = Math.min(lines.length, index + 1 + contextLines);
    const last = windows.at(-1);
    if (last && start <= last.end + 1) last.end = end;
    else windows.push({ start, end });
  }
  let room = 20 * Math.max(0, maxExcerpts - 10);
  return windows.slice(0, maxExcerpts).map(({ start, end }) => {
    const shown = lines.slice(start - 1, end).map(naiveShown);
    const more = Math.min(room, Math.max(0, shown.length - 200));
    room -= more;
    return { lineStart: start, lineEnd: end, content: shortened(shown, 100 + more).join('\n'), source: 'stdout' };
  });
}

function shortened(lines: readonly string[], head: number): readonly string[] {
  const missing = lines.length - head - 100;
  if (missing <= 0) return lines;
  return [...lines.slice(0, head), `... (${missing} lines omitted) ...`, ...lines.slice(-100)];
}

function naiveShown(line: string): string {
  const characters = [...line];
  return characters.length > 500 ? `${characters.slice(0, 500).join('')} [truncated]` : line;
}

function linesOf(bytes: Uint8Array): string[] {
  const lines = Buffer.from(bytes).toString('utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function observe(bytes: Uint8Array, pieceBytes: number, search: Search | null, summary: Summary | null = null) {
  const observed = new ObservedStream(summary, search);
  for (let at = 0; at < bytes.length; at += pieceBytes) observed.write(bytes.subarray(at, at + pieceBytes));
  observed.end();
  return observed;
}

const excerptsOf = (bytes: Uint8Array, search: Partial<Search> & Pick<Search, 'terms'>, pieceBytes = 7): Excerpt[] =>
  observe(bytes, pieceBytes, { contextLines: 3, maxExcerpts: 10, ...search }).excerpts('stdout');

const utf8 = (text: string) => Buffer.from(text);

// Few letters, so that terms are found often, with some that fold, some astral ones and what is no UTF-8.
const letters = [
  'a',
  'A',
  'b',
  'k',
  '\u212a',
  'ß',
  'ẞ',
  'σ',
  'ς',
  'Σ',
  'İ',
  'i',
  '😀',
  '𐐀',
  '𐐨',
  '\r',
  '\u0000',
  '\ufffd',
];
const words = fc.string({ unit: fc.constantFrom(...letters), maxLength: 12 });
const piece = fc.oneof(
  { weight: 8, arbitrary: words.map(utf8) },
  { weight: 6, arbitrary: fc.constant(utf8('\n')) },
  { weight: 2, arbitrary: fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: fc.nat(700).map((length) => utf8('x'.repeat(length))) },
  { weight: 1, arbitrary: fc.nat(600).map((length) => utf8('😀'.repeat(length))) },
  { weight: 1, arbitrary: fc.nat(150).map((length) => utf8('b\n'.repeat(length))) },
);
const output = fc.array(piece, { maxLength: 60 }).map((pieces) => Buffer.concat(pieces));
const pieceBytes = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 100_000 }));
const search = fc.record({
  terms: fc.array(fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 3,
  }),
  contextLines: fc.integer({ min: 0, max: 20 }),
  maxExcerpts: fc.integer({ min: 1, max: 16 }),
});

test('excerpts are what a search through all lines at once finds, however the bytes arrive', () => {
  fc.assert(
    fc.property(output, pieceBytes, search, (bytes, size, wanted) => {
      assert.deepEqual(excerptsOf(bytes, wanted, size), naiveExcerpts(linesOf(bytes), wanted));
    }),
    runs,
  );
});

test('summaries and totals are those of all lines at once, however the bytes arrive', () => {
  fc.assert(
    fc.property(
      output,
      pieceBytes,
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 1, max: 90 }),
      (bytes, size, head, tail) => {
        const lines = linesOf(bytes);
        const observed = observe(bytes, size, null, new Summary(head, tail));
        assert.deepEqual([observed.bytes, observed.lines], [bytes.length, lines.length]);
        const shown = lines.map(naiveShown);
        const missing = lines.length - head - tail;
        const between = missing > 0 && head > 0 ? [`... (${missing} lines omitted) ...`] : [];
        const wanted = missing > 0 ? [...shown.slice(0, head), ...between, ...shown.slice(-tail)] : shown;
        assert.equal(observed.summary(), wanted.join('\n'));
      },
    ),
    runs,
  );
});

test('windows that touch are one, others are apart', () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
  for (const number of [5, 12, 20]) lines[number - 1] += ' FAIL';
  const found = excerptsOf(utf8(lines.join('\n')), { terms: ['fail'] });
  // 5 + 3 and 12 - 3 are neighbours; between 12 + 3 and 20 - 3 there is a line.
  assert.deepEqual(
    found.map(({ lineStart, lineEnd }) => [lineStart, lineEnd]),
    [
      [2, 15],
      [17, 23],
    ],
  );
  assert.equal(found[1]?.content, lines.slice(16, 23).join('\n'));
});

test('a term is literal: what means something in a pattern does not', () => {
  const text = utf8('a.c\nabc\n[x]*\n$^\n');
  for (const [term, line] of [
    ['a.c', 1],
    ['[x]*', 3],
    ['$^', 4],
  ] as const) {
    assert.deepEqual(
      excerptsOf(text, { terms: [term], contextLines: 0 }).map(({ lineStart }) => lineStart),
      [line],
    );
  }
});

test('nothing is found for terms that no line can hold', () => {
  assert.deepEqual(excerptsOf(utf8('a\nb\n'), { terms: ['a\nb', ''] }), []);
  assert.deepEqual(excerptsOf(utf8('a\nb\n'), { terms: [] }), []);
});

test('a match at the far end of a very long line is found, and its beginning shown', () => {
  const line = Buffer.concat([utf8('y'.repeat(3_000_000)), utf8('needle'), utf8('y'.repeat(100_000))]);
  const found = excerptsOf(
    Buffer.concat([utf8('first\n'), line, utf8('\nlast')]),
    { terms: ['NEEDLE'], contextLines: 1 },
    65_536,
  );
  assert.deepEqual(found, [
    { lineStart: 1, lineEnd: 3, content: `first\n${'y'.repeat(500)} [truncated]\nlast`, source: 'stdout' },
  ]);
});

test('a line of exactly 500 characters is whole, also when they are pairs of units', () => {
  assert.equal(excerptsOf(utf8('😀'.repeat(500)), { terms: ['😀'] })[0]?.content, '😀'.repeat(500));
  assert.equal(excerptsOf(utf8('😀'.repeat(501)), { terms: ['😀'] })[0]?.content, `${'😀'.repeat(500)} [truncated]`);
});

test('when every line matches, the ends of the one window are shown', () => {
  const text = utf8(Array.from({ length: 5000 }, (_, index) => `hit ${index + 1}`).join('\n'));
  const [only, ...others] = excerptsOf(text, { terms: ['hit'] }, 4096);
  assert.deepEqual(others, []);
  assert.deepEqual([only?.lineStart, only?.lineEnd], [1, 5000]);
  const lines = only?.content.split('\n') ?? [];
  assert.deepEqual(
    [lines.length, lines[99], lines[100], lines[101]],
    [201, 'hit 100', '... (4800 lines omitted) ...', 'hit 4901'],
  );
});

test('with a larger maxExcerpts a long window is shown whole, or more of it', () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `FAIL ${index + 1}`);
  const shown = (count: number) =>
    excerptsOf(utf8(lines.slice(0, count).join('\n')), { terms: ['fail'], maxExcerpts: 100 });
  const whole = { lineStart: 1, lineEnd: 1000, content: lines.slice(0, 1000).join('\n'), source: 'stdout' };
  assert.deepEqual(shown(1000), [whole]);
  const [longer, ...others] = shown(5000);
  assert.deepEqual(others, []);
  const found = longer?.content.split('\n') ?? [];
  assert.deepEqual(
    [longer?.lineEnd, found.length, found[1899], found[1900], found[1901]],
    [5000, 2001, 'FAIL 1900', '... (3000 lines omitted) ...', 'FAIL 4901'],
  );
});
