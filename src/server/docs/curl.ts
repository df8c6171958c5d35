import type { Operation } from '../rest/operations.ts';
import type { Body } from '../tool.ts';

export interface Calling {
  /** `http://127.0.0.1:8080` */
  readonly origin: string;
  readonly locked: boolean;
  /** Ids, keys and names that this server has now. */
  readonly known: Readonly<Record<string, string>>;
}

/** A command that does what the operation's example says, when it is pasted into a shell. */
export function curlLine(operation: Operation, { origin, locked, known }: Calling): string {
  const { method, path, parameters, body, example = {} } = operation;
  const needed = body?.required ?? [];
  const given: Body = { ...stoodFor(needed, known), ...example };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => inPath(known[name] ?? placeholder(name)));
  const query = new URLSearchParams(
    parameters.flatMap(({ name, in: where }) =>
      where === 'query' && name in example ? [example[name]].flat().map((value) => [name, String(value)]) : [],
    ),
  );
  const url = `${origin}${filled}${query.size > 0 ? `?${readable(query)}` : ''}`;
  const isUsual = method === 'GET' || (method === 'POST' && body !== null);
  const first = ['curl -s', ...(isUsual ? [] : [`-X ${method}`]), quoted(url)].join(' ');
  const more = [
    // In double quotes: the shell puts the token in, and the page need not know it.
    ...(locked ? ['-H "Authorization: Bearer $CAY_AUTH_TOKEN"'] : []),
    ...(body === null ? [] : ["-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(given))}`]),
  ];
  return [first, ...more].join(' \\\n  ');
}

/** What stands where an earlier answer belongs. */
function placeholder(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

function stoodFor(names: readonly string[], known: Calling['known']): Body {
  return Object.fromEntries(names.map((name) => [name, known[name] ?? placeholder(name)]));
}

function inPath(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27');
}

/** Commas and colons mean nothing in a query. */
function readable(query: URLSearchParams): string {
  return String(query).replaceAll('%2C', ',').replaceAll('%3A', ':');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
