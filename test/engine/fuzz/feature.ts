import type { Random } from './random.ts';

/**
 * Something that lives in a heap. `make` gives the top-level statements that declare the variable `v`; each `use` gives
 * the body of a function that works with it, `useAsync` that of an asynchronous one.
 */
export interface Feature {
  readonly make: (v: string, random: Random) => readonly string[];
  readonly use: readonly ((v: string, random: Random) => string)[];
  readonly useAsync?: readonly ((v: string, random: Random) => string)[];
}
