// A part: the console methods that few programs call.
import type { InspectOptions } from 'node:util';
import { native } from './native.ts';
import { loadPart } from './parts.ts';
import {
  apply,
  assign,
  create,
  ErrorClass,
  floor,
  list,
  MapClass,
  mapClear,
  mapDelete,
  mapGet,
  mapSet,
  sliceText,
  toFixed,
} from './primordials.ts';
import { formatArguments, inspectValue } from './text.ts';
import { indentation, setIndentation, write } from './write.ts';

const GROUP_STEP = '  ';
const counts = new MapClass<string, number>();
const timers = new MapClass<string, number>();

const log = (...args: unknown[]) => write('', formatArguments(args));
const warn = (...args: unknown[]) => write('[WARN] ', formatArguments(args));

export function dir(value: unknown, options?: InspectOptions): void {
  const all: InspectOptions = create(null);
  all.customInspect = false;
  write('', inspectValue(value, assign(all, options)));
}

export function table(data: unknown, columns?: unknown): void {
  write('', loadPart('inspect').formatTable(data, columns) ?? formatArguments([data]));
}

export function trace(args: readonly unknown[]): void {
  const holder = { name: 'Trace', message: formatArguments(args), stack: '' };
  ErrorClass.captureStackTrace(holder, trace);
  write('', holder.stack);
}

export function assert(args: readonly unknown[]): void {
  const all = list<unknown>();
  const text = args.length > 0 && typeof args[0] === 'string';
  all[0] = text ? `Assertion failed: ${args[0]}` : 'Assertion failed';
  for (let i = text ? 1 : 0; i < args.length; i++) all[all.length] = args[i];
  apply(warn, undefined, all);
}

export function group(args: readonly unknown[]): void {
  if (args.length > 0) apply(log, undefined, args);
  setIndentation(indentation() + GROUP_STEP);
}

export function groupEnd(): void {
  const { length } = indentation();
  setIndentation(sliceText(indentation(), 0, length > GROUP_STEP.length ? length - GROUP_STEP.length : 0));
}

export function count(label: unknown = 'default'): void {
  const key = `${label}`;
  const next = (mapGet(counts, key) ?? 0) + 1;
  mapSet(counts, key, next);
  log(`${key}: ${next}`);
}

export function countReset(label: unknown = 'default'): void {
  if (!mapDelete(counts, `${label}`)) warn(`Count for '${label}' does not exist`);
}

export function time(label: unknown = 'default'): void {
  if (mapGet(timers, `${label}`) !== undefined) warn(`Label '${label}' already exists for console.time()`);
  else mapSet(timers, `${label}`, native.now());
}

export function timeEnd(label: unknown = 'default'): void {
  if (elapsed('timeEnd', `${label}`, [])) mapDelete(timers, `${label}`);
}

export function timeLog(label: unknown = 'default', ...extra: unknown[]): void {
  elapsed('timeLog', `${label}`, extra);
}

/** A run's clock begins at zero: timers of an earlier run mean nothing in it. */
export function resetTimes(): void {
  mapClear(timers);
}

function elapsed(method: string, label: string, extra: readonly unknown[]): boolean {
  const start = mapGet(timers, label);
  if (start === undefined) {
    warn(`No such label '${label}' for console.${method}()`);
    return false;
  }
  const all = list<unknown>();
  all[0] = '%s: %s';
  all[1] = label;
  all[2] = duration(native.now() - start);
  for (let i = 0; i < extra.length; i++) all[all.length] = extra[i];
  apply(log, undefined, all);
  return true;
}

function duration(ms: number): string {
  if (ms >= 60_000) return `${floor(ms / 60_000)}:${toFixed((ms % 60_000) / 1000, 3)} (m:ss.mmm)`;
  if (ms >= 1000) return `${toFixed(ms / 1000, 3)}s`;
  return `${+toFixed(ms, 3)}ms`;
}
