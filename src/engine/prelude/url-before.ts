import { setAside } from './core-js-members.ts';
import { globals } from './primordials.ts';

interface Values {
  readonly URL: typeof globalThis.URL;
  readonly URLSearchParams: typeof globalThis.URLSearchParams;
}

/** Evaluated before core-js, and called after it. */
export const urlValues = setAside<Values>({ URL: [globals, 'URL'], URLSearchParams: [globals, 'URLSearchParams'] });
