import { named } from './expose.ts';
import { apply, TypeErrorClass } from './primordials.ts';
import { reportUncaught } from './uncaught.ts';

// Awaiting a primitive takes one turn and looks nothing up, whatever Promise.prototype has become.
async function soon(callback: () => unknown): Promise<void> {
  await undefined;
  try {
    apply(callback, undefined, []);
  } catch (error) {
    reportUncaught(error, false);
  }
}

export const queueMicrotask = named((callback: () => unknown): void => {
  if (typeof callback !== 'function') throw new TypeErrorClass('The "callback" argument must be of type function.');
  soon(callback);
}, 'queueMicrotask');
