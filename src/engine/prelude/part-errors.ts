// A part: evaluated when DOMException is first used, or thrown.
export { DOMException } from './dom-exception.ts';
