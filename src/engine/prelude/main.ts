// Evaluated once, when the base heap is baked.
import './console.ts';
import './lazy-globals.ts';
import './polyfills.ts';
import { lent } from 'cay:lent';
import { begin } from './begin.ts';
import { describe } from './describe.ts';
import type { Hooks } from './native.ts';
import { forgetPart, loadedPart, provide } from './parts.ts';
import { locate } from './positions.ts';
import { prepareStack } from './stack.ts';
import { describeError, reportUncaught } from './uncaught.ts';

provide(lent);

export const hooks: Hooks = {
  begin,
  describe,
  describeError,
  reportUncaught,
  prepareStack,
  locate,
  beforeSnapshot() {
    loadedPart('intl')?.forgetNatives();
    forgetPart('inspect');
  },
};
