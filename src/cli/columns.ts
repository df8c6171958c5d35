/** Rows as lines with aligned columns; nothing follows the last cell of a line. */
export function columns(rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => row.map(printable));
  const width = (at: number) => Math.max(0, ...shown.map((row) => row[at]?.length ?? 0));
  const widths = Array.from({ length: Math.max(0, ...shown.map((row) => row.length)) }, (_, at) => width(at));
  const line = (row: readonly string[]) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ');
  return shown.map((row) => line(row).trimEnd()).join('\n');
}

/** Names and messages come from code and from other servers: none may move the cursor or end the line. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}
