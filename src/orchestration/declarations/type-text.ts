import { propertyKey } from './names.ts';

/** A type as text, and what it must be put into brackets for. */
export interface TypeText {
  readonly text: string;
  readonly kind: 'atom' | 'intersection' | 'union';
}

export const atom = (text: string): TypeText => ({ text, kind: 'atom' });

export const anything: TypeText = atom('unknown');
export const nothing: TypeText = atom('never');

export function union(given: readonly TypeText[]): TypeText {
  const parts = distinct(given).filter(({ text }) => text !== 'never');
  if (parts.some(({ text }) => text === 'unknown')) return anything;
  const [first = nothing, ...more] = parts;
  return more.length === 0 ? first : { text: parts.map(({ text }) => text).join(' | '), kind: 'union' };
}

export function intersection(given: readonly TypeText[]): TypeText {
  const parts = distinct(given).filter(({ text }) => text !== 'unknown');
  if (parts.some(({ text }) => text === 'never')) return nothing;
  const [first = anything, ...more] = parts;
  if (more.length === 0) return first;
  const text = parts.map((part) => (part.kind === 'union' ? `(${part.text})` : part.text)).join(' & ');
  return { text, kind: 'intersection' };
}

export function arrayOf(items: TypeText): TypeText {
  return atom(items.kind === 'atom' ? `${items.text}[]` : `(${items.text})[]`);
}

const mostMembers = 40;
const mostLiterals = 50;
const longestLiteral = 200;

/** The values of an `enum`; many of them are their types, and a comment that shows some. */
export function oneOf(values: readonly unknown[]): TypeText {
  const literals = values.map((value) => literal(value, 4));
  const size = literals.reduce((sum, { text }) => sum + text.length, 0);
  if (values.length <= mostLiterals && size <= mostLiterals * 20) return union(literals);
  const shown = literals.slice(0, 10).map(({ text }) => (text.length <= 40 ? text : '…'));
  const note = `one of ${values.length}: ${shown.join(', ')}, …`.replaceAll('*/', '*\\/');
  const wider = union(values.map((value) => (value === null ? atom('null') : atom(widened(value)))));
  return { text: `${wider.text} /* ${note} */`, kind: 'union' };
}

function widened(value: unknown): string {
  return typeof value === 'object' ? 'unknown' : typeof value;
}

/** A value of JSON as the type that has only it. */
export function literal(value: unknown, depth: number): TypeText {
  if (typeof value === 'string') return value.length > longestLiteral ? atom('string') : atom(JSON.stringify(value));
  if (typeof value === 'number' && !Number.isFinite(value)) return atom('number'); // JSON's 1e999
  if (typeof value !== 'object' || value === null) return atom(String(value));
  if (depth === 0 || Object.keys(value).length > mostMembers) return anything;
  if (Array.isArray(value)) return atom(`[${value.map((item) => literal(item, depth - 1).text).join(', ')}]`);
  const members = Object.entries(value).map(([key, inner]) => `${propertyKey(key)}: ${literal(inner, depth - 1).text}`);
  return atom(members.length === 0 ? 'Record<string, never>' : `{ ${members.join('; ')} }`);
}

function distinct(parts: readonly TypeText[]): TypeText[] {
  return [...new Map(parts.map((part) => [part.text, part])).values()];
}
