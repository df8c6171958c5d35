import { inspect } from 'node:util';
import type { RunValue } from '../../engine/outcome.ts';

/** A value as a console shows it. */
export function valueText(value: RunValue): string {
  if (value.kind === 'undefined') return 'undefined';
  return value.kind === 'json' ? inspect(JSON.parse(value.text)) : value.text;
}
