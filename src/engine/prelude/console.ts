import type { InspectOptions } from 'node:util';
import { formatTable } from './console-table.ts';
import { expose, named, tagged } from './expose.ts';
import { native } from './native.ts';
import {
  apply,
  assign,
  create,
  ErrorClass,
  floor,
  globals,
  list,
  MapClass,
  mapClear,
  mapDelete,
  mapGet,
  mapSet,
  replaceAll,
  sliceText,
  toFixed,
} from './primordials.ts';
import { formatArguments, inspectValue } from './text.ts';

const GROUP_STEP = '  ';
const counts = new MapClass<string, number>();
const timers = new MapClass<string, number>();
let indent = '';

/** One call, one frame: the whole text and its newline. */
function write(prefix: string, text: string): void {
  const indented = indent === '' ? text : indent + replaceAll(text, '\n', `\n${indent}`);
  native.print(`${prefix}${indented}\n`);
}

const log = (...args: unknown[]) => write('', formatArguments(args));
const warn = (...args: unknown[]) => write('[WARN] ', formatArguments(args));

function dir(value: unknown, options?: InspectOptions): void {
  const all: InspectOptions = create(null);
  all.customInspect = false;
  write('', inspectValue(value, assign(all, options)));
}

function trace(...args: unknown[]): void {
  const holder = { name: 'Trace', message: formatArguments(args), stack: '' };
  ErrorClass.captureStackTrace(holder, trace);
  write('', holder.stack);
}

function assert(condition: unknown, ...args: unknown[]): void {
  if (condition) return;
  const all = list<unknown>();
  const text = args.length > 0 && typeof args[0] === 'string';
  all[0] = text ? `Assertion failed: ${args[0]}` : 'Assertion failed';
  for (let i = text ? 1 : 0; i < args.length; i++) all[all.length] = args[i];
  apply(warn, undefined, all);
}

function group(...args: unknown[]): void {
  if (args.length > 0) apply(log, undefined, args);
  indent += GROUP_STEP;
}

function count(label: unknown = 'default'): void {
  const key = `${label}`;
  const next = (mapGet(counts, key) ?? 0) + 1;
  mapSet(counts, key, next);
  log(`${key}: ${next}`);
}

function countReset(label: unknown = 'default'): void {
  if (!mapDelete(counts, `${label}`)) warn(`Count for '${label}' does not exist`);
}

function time(label: unknown = 'default'): void {
  if (mapGet(timers, `${label}`) !== undefined) warn(`Label '${label}' already exists for console.time()`);
  else mapSet(timers, `${label}`, native.now());
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

const methods: Record<string, (...args: never[]) => void> = {
  log,
  warn,
  dir,
  time,
  timeEnd(label: unknown = 'default') {
    if (elapsed('timeEnd', `${label}`, [])) mapDelete(timers, `${label}`);
  },
  timeLog(label: unknown = 'default', ...extra: unknown[]) {
    elapsed('timeLog', `${label}`, extra);
  },
  trace,
  assert,
  clear() {},
  count,
  countReset,
  group,
  groupCollapsed: (...args: unknown[]) => apply(group, undefined, args),
  groupEnd() {
    indent = sliceText(indent, 0, indent.length > GROUP_STEP.length ? indent.length - GROUP_STEP.length : 0);
  },
  table: (data: unknown, columns?: unknown) => write('', formatTable(data, columns) ?? formatArguments([data])),
  debug: (...args: unknown[]) => apply(log, undefined, args),
  info: (...args: unknown[]) => write('[INFO] ', formatArguments(args)),
  dirxml: (...args: unknown[]) => apply(log, undefined, args),
  error: (...args: unknown[]) => write('[ERROR] ', formatArguments(args)),
};

const consoleObject = {};
for (const name of Object.keys(methods)) expose(consoleObject, name, named(methods[name] ?? log, name), true);
tagged(consoleObject, 'console');
expose(globals, 'console', consoleObject);

/** A run's clock begins at zero: timers of an earlier run mean nothing in it. Groups do not outlive their run. */
export function resetConsole(): void {
  mapClear(timers);
  indent = '';
}
