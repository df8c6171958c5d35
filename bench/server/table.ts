import { figure, type Target } from '../engine/table.ts';

export interface ServerRow {
  readonly label: string;
  /** One for each column; null where there is nothing to say. */
  readonly values: readonly (number | null)[];
}

/** Unlike the engine's sections, each has columns of its own. */
export interface ServerSection {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly ServerRow[];
  readonly targets: readonly Target[];
  readonly notes: readonly string[];
}

const width = 117;
const labelWidth = 33;
const cellWidth = 12;

export function formatServerSection({ title, columns, rows, notes }: ServerSection): string {
  return [
    `── ${title} ${'─'.repeat(width - title.length - 4)}`,
    line('', columns),
    ...rows.map(({ label, values }) =>
      line(
        label,
        values.map((value) => (value === null ? '·' : figure(value))),
      ),
    ),
    ...notes.map((note) => `  ${note}`),
  ].join('\n');
}

function line(label: string, cells: readonly string[]): string {
  return label.padEnd(labelWidth) + cells.map((cell) => cell.padStart(cellWidth)).join('');
}
