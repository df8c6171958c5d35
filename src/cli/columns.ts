/** Rows as lines with aligned columns; nothing follows the last cell of a line. */
export function columns(rows: readonly (readonly string[])[]): string {
  const width = (at: number) => Math.max(0, ...rows.map((row) => row[at]?.length ?? 0));
  const widths = Array.from({ length: Math.max(0, ...rows.map((row) => row.length)) }, (_, at) => width(at));
  const line = (row: readonly string[]) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
}
