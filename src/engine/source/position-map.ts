import { lastNotAbove, lineAt, lineStarts, positionAt } from './lines.ts';

/**
 * Flat [offset, offset in the text before]*, ascending by the first. From each pair on, up to the next, offsets run in
 * parallel; before the first pair they are equal.
 */
export type OffsetPairs = readonly number[];

// Handing more than this from thread to thread holds the server for longer than 10 ms.
const MAX_SEGMENTS = 50_000;

/** The map of two rewritings, one after the other. */
export function compose(second: OffsetPairs, first: OffsetPairs, length: number): number[] {
  const composed: number[] = [];
  const chunks = second[0] === 0 ? second : [0, 0, ...second];
  for (let i = 0; i < chunks.length; i += 2) {
    const from = chunks[i] ?? 0;
    const middle = chunks[i + 1] ?? 0;
    const end = middle + (chunks[i + 2] ?? length) - from;
    composed.push(from, offsetBefore(first, middle));
    for (let k = pairAt(first, middle) + 2; (first[k] ?? end) < end; k += 2) {
      composed.push(from + (first[k] ?? 0) - middle, first[k + 1] ?? 0);
    }
  }
  return composed;
}

/** Where an offset lies in the text before the rewriting. */
export function offsetBefore(pairs: OffsetPairs, offset: number): number {
  const at = pairAt(pairs, offset);
  return at < 0 ? offset : (pairs[at + 1] ?? 0) + offset - (pairs[at] ?? 0);
}

/** The segments of `Transformed.map`, or null where every position stays. */
export function toSegments(pairs: OffsetPairs, text: string, submitted: string): number[] | null {
  if (pairs.length === 0) return null;
  const lines = lineStarts(text);
  const submittedLines = lineStarts(submitted);
  const segments: number[] = [];
  let moved = false;
  const add = (offset: number, submittedOffset: number): void => {
    const [line, column] = positionAt(lines, offset);
    const [toLine, toColumn] = positionAt(submittedLines, Math.min(submittedOffset, submitted.length));
    moved ||= line !== toLine || column !== toColumn;
    if (!isImplied(segments, line, column, toLine, toColumn)) segments.push(line, column, toLine, toColumn);
  };
  for (let i = 0; i < pairs.length; i += 2) {
    const from = pairs[i] ?? 0;
    const to = pairs[i + 1] ?? 0;
    const end = pairs[i + 2] ?? text.length;
    add(from, to);
    for (let line = lineAt(lines, from) + 1; (lines[line] ?? end) < end; line++) {
      const start = lines[line] ?? 0;
      add(start, to + start - from);
    }
  }
  if (!moved) return null;
  return thinned(segments);
}

function pairAt(pairs: OffsetPairs, offset: number): number {
  return 2 * lastNotAbove(pairs.length / 2, (index) => pairs[2 * index] ?? 0, offset);
}

function isImplied(segments: readonly number[], line: number, column: number, toLine: number, toColumn: number) {
  const last = segments.length - 4;
  if (last < 0 || segments[last] !== line || segments[last + 2] !== toLine) return false;
  return toColumn - (segments[last + 3] ?? 0) === column - (segments[last + 1] ?? 0);
}

/** Of too many, the first of each line; of still too many, those of every few lines. */
function thinned(segments: number[]): number[] {
  if (segments.length / 4 <= MAX_SEGMENTS) return segments;
  const firsts = chosen(segments, (at) => segments[at] !== segments[at - 4]);
  const step = Math.ceil(firsts.length / 4 / MAX_SEGMENTS);
  return step === 1 ? firsts : chosen(firsts, (at) => (at / 4) % step === 0);
}

function chosen(segments: readonly number[], isChosen: (at: number) => boolean): number[] {
  const kept: number[] = [];
  for (let at = 0; at < segments.length; at += 4) if (isChosen(at)) kept.push(...segments.slice(at, at + 4));
  return kept;
}
