import { exposeGlobal } from './expose.ts';
import { apply, assign, TypeErrorClass, toNumber, trunc } from './primordials.ts';
import { addTimer, removeTimer } from './timers.ts';

const LONGEST = 2 ** 31 - 1;

function start(callback: unknown, delay: unknown, args: readonly unknown[], repeat: boolean): number {
  if (typeof callback !== 'function') {
    const error = new TypeErrorClass('The "callback" argument must be of type function.');
    throw assign(error, { code: 'ERR_INVALID_ARG_TYPE' });
  }
  return addTimer(() => apply(callback, undefined, args), { delay: delayOf(delay), repeat, hold: true });
}

function delayOf(delay: unknown): number {
  const ms = toNumber(delay);
  return ms >= 1 && ms <= LONGEST ? trunc(ms) : 1;
}

function stop(id: unknown): void {
  if (typeof id === 'number' || typeof id === 'string') removeTimer(+id);
}

exposeGlobal('setTimeout', (callback: unknown, delay?: unknown, ...args: unknown[]) =>
  start(callback, delay, args, false),
);
exposeGlobal('setInterval', (callback: unknown, delay?: unknown, ...args: unknown[]) =>
  start(callback, delay, args, true),
);
exposeGlobal('setImmediate', (callback: unknown, ...args: unknown[]) => {
  if (typeof callback !== 'function') return start(callback, 0, args, false);
  return addTimer(() => apply(callback, undefined, args), { delay: 0, repeat: false, hold: true });
});
exposeGlobal('clearTimeout', (id?: unknown) => stop(id));
exposeGlobal('clearInterval', (id?: unknown) => stop(id));
exposeGlobal('clearImmediate', (id?: unknown) => stop(id));
