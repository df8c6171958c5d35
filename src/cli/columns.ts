import { displayWidth } from './display-width.ts';

/** Rows as lines with aligned columns; nothing follows the last cell of a line. */
export function columns(rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => row.map(printable));
  const widths = widthsOf(shown);
  return shown
    .map((row) => row.map((cell, at) => padded(cell, widths[at] ?? 0)).join('  '))
    .map(trimmed)
    .join('\n');
}

/** The width of each column: that of its widest cell. */
export function widthsOf(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, displayWidth(cell));
  return widths;
}

export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** Names and messages come from code and from other servers: none may move the cursor or end the line. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}

function trimmed(line: string): string {
  return line.trimEnd();
}
