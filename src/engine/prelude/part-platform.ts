// A part: evaluated when the first of its globals is used.
export { structuredClone } from './clone.ts';
export { crypto } from './crypto.ts';
export { FinalizationRegistry } from './finalization-registry.ts';
export { performance } from './performance.ts';
