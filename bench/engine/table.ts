/** What stands side by side. `addon` is the addon's bare run, in one process, without pipe, lock or pool. */
export const columns = {
  addon: 'addon',
  state: 'Cay state',
  none: 'no state',
  jitOff: 'JIT off',
  process: 'process',
  vm: 'Node vm',
  'isolated-vm': 'isolated-vm',
  quickjs: 'quickjs',
} as const;

export type Column = keyof typeof columns;

export interface Cell {
  readonly value: number;
  /** To the row's base. */
  readonly ratio?: number;
}

export interface Row {
  readonly label: string;
  readonly cells: Partial<Record<Column, Cell>>;
}

export interface Target {
  readonly label: string;
  readonly measured: string;
  readonly limit: string;
  readonly met: boolean;
}

export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly targets: readonly Target[];
  readonly notes: readonly string[];
}

const labelWidth = 21;
const cellWidth = 12;

export function header(): string {
  const names = Object.values(columns).map((name) => name.padStart(cellWidth));
  return `${' '.repeat(labelWidth)}${names.join('')}`;
}

export function formatSection(section: Section): string {
  const rows = section.rows.map(({ label, cells }) => {
    const texts = Object.keys(columns).map((name) => formatCell(cells[name as Column]).padStart(cellWidth));
    return label.padEnd(labelWidth) + texts.join('');
  });
  const width = labelWidth + Object.keys(columns).length * cellWidth;
  return [
    `── ${section.title} ${'─'.repeat(width - section.title.length - 4)}`,
    ...rows,
    ...section.notes.map((note) => `  ${note}`),
  ].join('\n');
}

export function formatTargets(targets: readonly Target[]): string {
  const lines = targets.map(
    ({ label, measured, limit, met }) => `${met ? 'ok  ' : 'MISS'} ${label.padEnd(46)} ${measured.padEnd(52)} ${limit}`,
  );
  return ['── targets '.padEnd(labelWidth + Object.keys(columns).length * cellWidth, '─'), ...lines].join('\n');
}

export function figure(value: number): string {
  if (!Number.isFinite(value)) return '?';
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export function times(ratio: number): string {
  return `${ratio >= 99.5 ? ratio.toFixed(0) : ratio >= 9.95 ? ratio.toFixed(1) : ratio.toFixed(2)}x`;
}

function formatCell(cell: Cell | undefined): string {
  if (!cell) return '·';
  return cell.ratio === undefined ? figure(cell.value) : `${figure(cell.value)} ${times(cell.ratio).padStart(5)}`;
}
