import { styleText } from 'node:util';
import { padded, printable, widthsOf } from './columns.ts';
import { cut } from './display-width.ts';
import type { Color } from './terminal.ts';
import { onTerminal, terminalWidth } from './terminal.ts';

interface Column {
  readonly head: string;
  /** Cut where the terminal is narrow; the others are not: half an id is none. */
  readonly flexible?: boolean;
}

export interface Colored {
  readonly text: string;
  readonly color: Color;
}

type Cell = string | Colored;

const gap = '  ';
const narrowest = 6;

/** Columns by their heads; a `~` before one says that it may be cut. */
export function columnHeads(...heads: readonly string[]): Column[] {
  return heads.map((head) => (head.startsWith('~') ? { head: head.slice(1), flexible: true } : { head }));
}

/**
 * On a terminal a table with a head, cut to its width, without the columns that have nothing in them. In a pipe the rows
 * alone and uncut, with `-` where a cell is empty, so that the columns can be told apart by their spaces.
 */
export function table(head: readonly Column[], rows: readonly (readonly Cell[])[]): string {
  return onTerminal() ? forPeople(head, rows) : forPrograms(rows);
}

function forPrograms(rows: readonly (readonly Cell[])[]): string {
  const full = rows.map((row) => {
    const last = row.findLastIndex((cell) => textOf(cell) !== '');
    return row.slice(0, last + 1).map((cell) => (textOf(cell) === '' ? '-' : cell));
  });
  const widths = widthsOf(full.map((row) => row.map(textOf)));
  return full.map((row) => lineOf(row, widths)).join('\n');
}

function forPeople(head: readonly Column[], rows: readonly (readonly Cell[])[]): string {
  const used = head.flatMap((column, at) => (rows.some((row) => textOf(row[at]) !== '') ? [{ column, at }] : []));
  const heads = used.map(({ column }): Cell => ({ text: column.head, color: 'dim' }));
  const lines = [heads, ...rows.map((row) => used.map(({ at }) => row[at] ?? ''))];
  const natural = widthsOf(lines.map((line) => line.map(textOf)));
  const flexible = used.map(({ column }) => column.flexible ?? false);
  const widths = clipped(fitted(natural, flexible, terminalWidth()), terminalWidth());
  return lines.map((line) => lineOf(line, widths)).join('\n');
}

function lineOf(cells: readonly Cell[], widths: readonly number[]): string {
  const shown = cells.map((cell, at) => {
    const width = widths[at] ?? 0;
    const text = cut(textOf(cell), width);
    return padded(typeof cell === 'object' ? styleText(cell.color, text) : text, width);
  });
  return shown.join(gap).trimEnd();
}

/** The widest of the flexible columns give way, until all fit or none can be narrower. */
function fitted(natural: readonly number[], flexible: readonly boolean[], width: number): number[] {
  const room = width - gap.length * (natural.length - 1);
  const widths = natural.map((one, at) => (flexible[at] ? Math.min(one, Math.max(room, narrowest)) : one));
  for (;;) {
    const excess = widths.reduce((sum, one) => sum + one, 0) - room;
    const widest = widths.reduce(
      (most, one, at) => (flexible[at] && one > (widths[most] ?? narrowest) ? at : most),
      -1,
    );
    if (excess <= 0 || widest < 0) return widths;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
}

/** What lies beyond the edge is not shown. */
function clipped(widths: readonly number[], width: number): number[] {
  let room = width;
  return widths.map((one) => {
    const shown = Math.max(0, Math.min(one, room));
    room -= one + gap.length;
    return shown;
  });
}

function textOf(cell: Cell | undefined = ''): string {
  return printable(typeof cell === 'string' ? cell : cell.text);
}
