// A part: everything that turns values into text. It keeps nothing, and is forgotten before each snapshot.
export { formatWithOptions, inspect } from 'cay:inspect';
export { formatTable } from './console-table.ts';
export { hintFor, member } from './describe-hints.ts';
