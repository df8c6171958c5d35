// Evaluated once, when the base heap is baked. The order counts: Node's inspect lists the builtins before ours are
// there.
import './text.ts';
import './finalization-registry.ts';
import './dom-exception.ts';
import './polyfills.ts';
import './url.ts';
import './console.ts';
import './timer-functions.ts';
import './microtasks.ts';
import './clone.ts';
import './text-encoder.ts';
import './text-decoder.ts';
import './base64.ts';
import './event.ts';
import './event-target.ts';
import './abort.ts';
import './crypto.ts';
import './performance.ts';
import { begin } from './begin.ts';
import { describe } from './describe.ts';
import { forgetNatives } from './intl.ts';
import type { Hooks } from './native.ts';
import { locate } from './positions.ts';
import { prepareStack } from './stack.ts';
import { describeError, reportUncaught } from './uncaught.ts';

export const hooks: Hooks = {
  begin,
  describe,
  describeError,
  reportUncaught,
  prepareStack,
  locate,
  beforeSnapshot: forgetNatives,
};
