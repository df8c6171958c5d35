import { native } from './native.ts';
import { replaceAll } from './primordials.ts';

let indent = '';

/** One console call, one frame: the whole text and its newline. */
export function write(prefix: string, text: string): void {
  native.print(`${prefix}${indent === '' ? text : indent + replaceAll(text, '\n', `\n${indent}`)}\n`);
}

export const indentation = () => indent;

export function setIndentation(to: string): void {
  indent = to;
}
