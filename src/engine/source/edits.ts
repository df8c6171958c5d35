import type { OffsetPairs } from './position-map.ts';
import type { Guard } from './types.ts';

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Not an edit yet: the text goes in later, if this name turns out to be a const. */
  readonly ifConst: string | null;
}

/**
 * A piece of the rewritten text: new, or a range of the old with the edits in it. What is inserted right at its borders
 * belongs to it or to its neighbours.
 */
export type Piece = string | { readonly start: number; readonly end: number; readonly borders: boolean };

/** Changes to a text, in the order in which they are made; where two are at one offset, the first stands first. */
export interface Edits {
  insert(at: number, text: string): void;
  replace(start: number, end: number, text: string): void;
  insertIfConst(at: number, name: string, text: string): void;
  apply(pieces: readonly Piece[]): Edited;
}

export interface Edited {
  readonly text: string;
  readonly pairs: OffsetPairs;
  readonly guards: readonly Guard[];
}

export function createEdits(source: string): Edits {
  const edits: Edit[] = [];
  return {
    insert: (at, text) => void edits.push({ start: at, end: at, text, ifConst: null }),
    replace: (start, end, text) => void edits.push({ start, end, text, ifConst: null }),
    insertIfConst: (at, name, text) => void edits.push({ start: at, end: at, text, ifConst: name }),
    apply: (pieces) =>
      applyEdits(
        source,
        edits.sort((a, b) => a.start - b.start),
        pieces,
      ),
  };
}

function applyEdits(source: string, edits: readonly Edit[], pieces: readonly Piece[]): Edited {
  const texts: string[] = [];
  const pairs: number[] = [];
  const guards: Guard[] = [];
  let length = 0;
  let shift = 0;
  const write = (text: string): void => {
    texts.push(text);
    length += text.length;
  };
  const copy = (start: number, end: number): void => {
    if (start >= end) return;
    if (length - start !== shift) pairs.push(length, start);
    shift = length - start;
    write(source.slice(start, end));
  };
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      write(piece);
      continue;
    }
    const { start, end, borders } = piece;
    let at = start;
    for (let i = firstFrom(edits, borders ? start : start + 1); i < edits.length; i++) {
      const edit = edits[i];
      if (edit === undefined || edit.start > (borders ? end : end - 1)) break;
      copy(at, edit.start);
      at = edit.end;
      if (edit.ifConst !== null) guards.push([edit.ifConst, length, edit.text]);
      else write(edit.text);
    }
    copy(at, end);
  }
  return { text: texts.join(''), pairs, guards: guards.sort((a, b) => a[1] - b[1]) };
}

function firstFrom(edits: readonly Edit[], offset: number): number {
  let low = 0;
  let high = edits.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((edits[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
