// A part: evaluated when the first of its globals is used.
export { AbortController, AbortSignal } from './abort.ts';
export { CustomEvent, Event } from './event.ts';
export { EventTarget } from './event-target.ts';
