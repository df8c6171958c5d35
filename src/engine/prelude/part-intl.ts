// A part: evaluated when Intl is first used.
export { forgetNatives, Intl } from './intl.ts';
