import type { InspectOptions } from 'node:util';
import { expose, tagged } from './expose.ts';
import { loadPart } from './parts.ts';
import { apply, globals } from './primordials.ts';
import { formatArguments } from './text.ts';
import { write } from './write.ts';

// Every function is an object in every heap: what few programs call is in a part. Method syntax names them.
const consoleObject = {
  log(...args: unknown[]) {
    write('', formatArguments(args));
  },
  warn(...args: unknown[]) {
    write('[WARN] ', formatArguments(args));
  },
  dir(value: unknown, options?: InspectOptions) {
    extras().dir(value, options);
  },
  time(...args: unknown[]) {
    apply(extras().time, undefined, args);
  },
  timeEnd(...args: unknown[]) {
    apply(extras().timeEnd, undefined, args);
  },
  timeLog(...args: unknown[]) {
    apply(extras().timeLog, undefined, args);
  },
  trace(...args: unknown[]) {
    extras().trace(args);
  },
  assert(condition: unknown, ...args: unknown[]) {
    if (!condition) extras().assert(args);
  },
  clear() {},
  count(...args: unknown[]) {
    apply(extras().count, undefined, args);
  },
  countReset(...args: unknown[]) {
    apply(extras().countReset, undefined, args);
  },
  group(...args: unknown[]) {
    extras().group(args);
  },
  groupCollapsed(...args: unknown[]) {
    extras().group(args);
  },
  groupEnd() {
    extras().groupEnd();
  },
  table(data: unknown, columns?: unknown) {
    extras().table(data, columns);
  },
  debug(...args: unknown[]) {
    write('', formatArguments(args));
  },
  info(...args: unknown[]) {
    write('[INFO] ', formatArguments(args));
  },
  dirxml(...args: unknown[]) {
    write('', formatArguments(args));
  },
  error(...args: unknown[]) {
    write('[ERROR] ', formatArguments(args));
  },
};

function extras() {
  return loadPart('console');
}

tagged(consoleObject, 'console');
expose(globals, 'console', consoleObject);
