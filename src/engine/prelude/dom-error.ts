import { loadPart } from './parts.ts';

/** A DOMException, whatever user code has made of the global. */
export function domError(message: string, name: string): Error {
  return new (loadPart('errors').DOMException)(message, name);
}
