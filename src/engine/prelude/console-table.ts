import table from 'cay:table';
import type { InspectOptions } from 'node:util';
import { native } from './native.ts';
import { arrayPush, create, getProperty, hasOwn, isArray, list, min, objectKeys } from './primordials.ts';
import { inspectValue } from './text.ts';

const INDEX = '(index)';
const ITERATION = '(iteration index)';
const VALUES = 'Values';
const MAX_ROWS = 10_000;
const NOTHING = create(null);

/** The table that Node's console.table prints, or undefined for what is printed like any value. Never throws. */
export function formatTable(data: unknown, columns?: unknown): string | undefined {
  if (data === null || typeof data !== 'object') return undefined;
  try {
    const kind = native.kindOf(data);
    const entries = kind === 'Map' || kind === 'MapIterator' || kind === 'Set' || kind === 'SetIterator';
    return entries ? entryTable(data) : rowTable(data, isArray(columns) ? columns : undefined);
  } catch {
    return undefined;
  }
}

function rowTable(data: object, wanted: readonly unknown[] | undefined): string {
  const columns: Record<string, string[]> = create(null);
  const primitives = list<string>();
  const rows = objectKeys(data);
  const count = min(rows.length, MAX_ROWS);
  const indices = list<string>();
  for (let i = 0; i < count; i++) {
    const row = rows[i] ?? '';
    const item: unknown = getProperty(data, row);
    indices[i] = row;
    const isObject = (typeof item === 'object' && item !== null) || typeof item === 'function';
    if (isObject) fillRow(columns, i, item, wanted ?? objectKeys(item));
    else if (wanted === undefined) primitives[i] = cell(item);
    else fillRow(columns, i, NOTHING, wanted);
  }
  const head = [INDEX];
  const body = [indices];
  const names = objectKeys(columns);
  for (let i = 0; i < names.length; i++) {
    const name = names[i] ?? '';
    arrayPush(head, name);
    arrayPush(body, columns[name] ?? []);
  }
  if (primitives.length > 0) {
    arrayPush(head, VALUES);
    arrayPush(body, primitives);
  }
  return table(head, body) + missing(rows.length);
}

function fillRow(columns: Record<string, string[]>, row: number, item: object, keys: readonly unknown[]): void {
  for (let i = 0; i < keys.length; i++) {
    const key = `${keys[i]}`;
    columns[key] ??= list();
    columns[key][row] = hasOwn(item, key) ? cell(getProperty(item, key)) : '';
  }
}

function entryTable(data: object): string {
  const preview = native.previewEntries(data) ?? [[], false];
  const entries = preview[0];
  const step = preview[1] ? 2 : 1;
  const numbers = list<string>();
  const firsts = list<string>();
  const seconds = list<string>();
  for (let i = 0; i < entries.length && numbers.length < MAX_ROWS; i += step) {
    arrayPush(numbers, `${i / step}`);
    arrayPush(firsts, cell(entries[i]));
    if (step === 2) arrayPush(seconds, cell(entries[i + 1]));
  }
  const text =
    step === 2
      ? table([ITERATION, 'Key', VALUES], [numbers, firsts, seconds])
      : table([ITERATION, VALUES], [numbers, firsts]);
  return text + missing(entries.length / step);
}

function cell(value: unknown): string {
  const options: InspectOptions = create(null);
  const wide = value !== null && typeof value === 'object' && !isArray(value) && objectKeys(value).length > 2;
  options.depth = wide ? -1 : 0;
  options.maxArrayLength = 3;
  options.breakLength = 1 / 0;
  return inspectValue(value, options);
}

function missing(rows: number): string {
  return rows > MAX_ROWS ? `\n... ${rows - MAX_ROWS} more rows` : '';
}
