// A part: evaluated when the first of its globals is used.
export { queueMicrotask } from './microtasks.ts';
export {
  clearImmediate,
  clearInterval,
  clearTimeout,
  setImmediate,
  setInterval,
  setTimeout,
} from './timer-functions.ts';
export { addTimer, holdTimer, resetTimers } from './timers.ts';
