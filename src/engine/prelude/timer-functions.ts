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

// Method syntax: the minifier leaves their names alone.
export const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate } = {
  setTimeout(callback: unknown, delay?: unknown, ...args: unknown[]): number {
    return start(callback, delay, args, false);
  },
  setInterval(callback: unknown, delay?: unknown, ...args: unknown[]): number {
    return start(callback, delay, args, true);
  },
  setImmediate(callback: unknown, ...args: unknown[]): number {
    if (typeof callback !== 'function') return start(callback, 0, args, false);
    return addTimer(() => apply(callback, undefined, args), { delay: 0, repeat: false, hold: true });
  },
  clearTimeout(id?: unknown): void {
    stop(id);
  },
  clearInterval(id?: unknown): void {
    stop(id);
  },
  clearImmediate(id?: unknown): void {
    stop(id);
  },
};
