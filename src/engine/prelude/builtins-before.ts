import { setAside } from './core-js-members.ts';
import { polyfilled } from './polyfilled.ts';

/** Evaluated before core-js, and called after it. */
export const builtinValues = setAside<{ readonly [Name in keyof ReturnType<typeof polyfilled>]: unknown }>(
  polyfilled(),
);
