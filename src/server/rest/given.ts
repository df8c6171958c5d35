import { shown } from '../../config/mismatch.ts';
import { CayError } from '../../errors.ts';
import { fromQuery } from '../arguments.ts';
import type { Body, Route } from '../tool.ts';
import type { Exchange } from '../web/exchange.ts';
import { takesBody } from './operations.ts';

/**
 * The arguments of a request: from its path, and from its body or else its query. What is anywhere else is refused, as
 * leaving it out would do something that was not asked for (a DELETE of `{"keys": "x"}` would remove all tags).
 */
export async function givenArguments(
  exchange: Exchange,
  { method, input }: Pick<Route, 'method' | 'input'>,
): Promise<Body> {
  const { params: inPath, hasBody: inBody } = exchange;
  const query = exchange.query === '' ? {} : fromQuery(input, valuesOf(exchange.query));
  if (inBody && !takesBody(method)) throw refused('The body: none is taken here, arguments go into the query');
  const [stray] = takesBody(method) ? Object.keys(query) : [];
  if (stray !== undefined) throw refused(`${stray}: expected in the body, not in the query`);
  const given = inBody ? bodyFrom(await exchange.text(), exchange.header('content-type')) : query;
  const twice = Object.keys(given).find((name) => Object.hasOwn(inPath, name));
  if (twice !== undefined) throw refused(`${twice}: expected in the path only`);
  return { ...given, ...inPath };
}

function valuesOf(query: string): Record<string, string[]> {
  const given = new URLSearchParams(query);
  return Object.fromEntries([...new Set(given.keys())].map((name) => [name, given.getAll(name)]));
}

/** A body may be left out where nothing in it is needed. Whatever type it claims to have, it is JSON. */
function bodyFrom(text: string, type: string | null): object {
  if (text.trim() === '') return {};
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const hint = type?.includes('form') ? `; it came as ${type}, send it as application/json` : '';
    throw refused(`The body is not JSON: ${reason}${hint}`, error);
  }
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw refused(`The body: expected an object, got ${shown(body)}`);
}

function refused(message: string, cause?: unknown): CayError {
  return new CayError('invalid_argument', message, { cause });
}
