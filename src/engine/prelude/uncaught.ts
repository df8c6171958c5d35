import { type ErrorDescription, native } from './native.ts';
import { ErrorClass, getProperty, indexOf, max, sliceText } from './primordials.ts';
import { cut, inspectValue } from './text.ts';

const MAX_NAME = 200;
const MAX_MESSAGE = 100_000;
const MAX_STACK = 200_000;

/** Name, message, stack and code of whatever was thrown. Never throws. */
export function describeError(error: unknown): ErrorDescription {
  if (!isError(error)) {
    const text = cut(inspectValue(error), MAX_MESSAGE);
    return ['Uncaught', text, `Uncaught ${text}`, ''];
  }
  const name = cut(textOf(error, 'name', 'Error'), MAX_NAME);
  const message = cut(textOf(error, 'message', ''), MAX_MESSAGE);
  const stack = textOf(error, 'stack', '');
  // V8 writes the first lines when the stack is first read; name and message may have changed since.
  const header = name === '' ? message : message === '' ? name : `${name}: ${message}`;
  const frames = indexOf(stack, '\n    at ', max(indexOf(stack, message), 0));
  const shown = cut(frames === -1 ? header : header + sliceText(stack, frames), MAX_STACK);
  return [name, message, shown, cut(textOf(error, 'code', ''), MAX_NAME)];
}

/** Prints what nobody caught; the run goes on. */
export function reportUncaught(error: unknown, inPromise: boolean): void {
  const described = describeError(error);
  const text = isError(error) ? described[2] : described[1];
  native.print(`[ERROR] Uncaught ${inPromise ? '(in promise) ' : ''}${text}\n`);
}

function isError(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  try {
    return native.kindOf(value) === 'Error' || value instanceof ErrorClass;
  } catch {
    return false;
  }
}

function textOf(error: object, key: string, otherwise: string): string {
  try {
    const value: unknown = getProperty(error, key);
    if (value === undefined) return otherwise;
    return typeof value === 'string' ? value : `${value}`;
  } catch {
    return otherwise;
  }
}
