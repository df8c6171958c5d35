// Node's own modules, taken by the bundler from the pinned Node that runs it.
declare module 'cay:inspect' {
  export { formatWithOptions, inspect } from 'node:util';
}
declare module 'cay:lent' {
  /** What the parts use of the prelude. */
  export const lent: readonly unknown[];
}
declare module 'cay:table' {
  export default function table(head: string[], columns: string[][]): string;
}
