import { styleText } from 'node:util';
import { padded } from './columns.ts';
import type { Colored } from './table.ts';

type Line = readonly [label: string, value: string | Colored | null];

/** One thing, a line for each of its properties; those that are null are left out. */
export function details(lines: readonly Line[]): string {
  const width = Math.max(0, ...lines.map(([label, value]) => (value === null ? 0 : label.length)));
  return lines
    .flatMap(([label, value]) =>
      value === null ? [] : [`${styleText('dim', padded(label, width))}  ${shown(value, width)}`],
    )
    .join('\n');
}

function shown(value: string | Colored, width: number): string {
  if (typeof value === 'object') return styleText(value.color, value.text);
  return value.trimEnd().replaceAll('\n', `\n${' '.repeat(width + 2)}`);
}
