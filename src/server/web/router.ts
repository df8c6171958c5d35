import type { Handler } from './exchange.ts';

/** What is served at a path. */
export interface Served {
  readonly method: string;
  /** With its parameters as `{name}`. */
  readonly path: string;
  readonly handler: Handler;
}

export interface Found extends Served {
  readonly params: Readonly<Record<string, string>>;
}

const none = {};

/** Any method: the handler looks itself. */
export const anyMethod = 'ALL';

/** Finds what serves a request. HEAD is served by what serves GET. */
export class Router {
  readonly #exact = new Map<string, Found>();
  readonly #patterns: { readonly served: Served; readonly pieces: readonly string[] }[] = [];
  readonly served: Served[] = [];

  add(method: string, path: string, handler: Handler): void {
    const served = { method, path, handler };
    this.served.push(served);
    if (path.includes('{')) this.#patterns.push({ served, pieces: path.split('/') });
    else this.#exact.set(`${method} ${path}`, { ...served, params: none });
  }

  find(method: string, path: string): Found | null {
    const asked = method === 'HEAD' ? 'GET' : method;
    const exact = this.#exact.get(`${asked} ${path}`) ?? this.#exact.get(`${anyMethod} ${path}`);
    if (exact) return exact;
    const given = path.split('/');
    for (const { served, pieces } of this.#patterns) {
      if (served.method === asked && fits(pieces, given)) return { ...served, params: paramsOf(pieces, given) };
    }
    return null;
  }

  /** The methods that are served at a path. */
  methodsAt(path: string): string[] {
    const given = path.split('/');
    const there = this.served.filter(({ path: pattern }) => fits(pattern.split('/'), given));
    return [...new Set(there.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
  }
}

function fits(pieces: readonly string[], given: readonly string[]): boolean {
  return (
    pieces.length === given.length &&
    pieces.every((piece, index) => (piece.startsWith('{') ? given[index] !== '' : piece === given[index]))
  );
}

function paramsOf(pieces: readonly string[], given: readonly string[]): Record<string, string> {
  const named = pieces.flatMap((piece, index) => (piece.startsWith('{') ? [[piece.slice(1, -1), given[index]]] : []));
  return Object.fromEntries(named.map(([name, value = '']) => [name, decoded(value)]));
}

/** What is not written as it should be is taken as it is: no id, key or name has such a form. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
