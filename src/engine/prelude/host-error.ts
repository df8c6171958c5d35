import { expose, ownValue } from './expose.ts';
import { ErrorClass, parseJson, RangeErrorClass, TypeErrorClass } from './primordials.ts';

/** The host says no with the JSON text of {message, code?, name?}; user code gets an Error. */
export function hostError(failure: unknown): unknown {
  if (typeof failure !== 'string') return failure;
  let given: unknown;
  try {
    given = parseJson(failure);
  } catch {
    return new ErrorClass(failure);
  }
  if (typeof given !== 'object' || given === null) return new ErrorClass(failure);
  const message = `${ownValue(given, 'message') ?? ''}`;
  const name = ownValue(given, 'name') ?? 'Error';
  const code = ownValue(given, 'code');
  const error =
    name === 'TypeError'
      ? new TypeErrorClass(message)
      : name === 'RangeError'
        ? new RangeErrorClass(message)
        : new ErrorClass(message);
  if (error.name !== name) expose(error, 'name', name);
  if (code !== undefined) expose(error, 'code', code, true);
  return error;
}
