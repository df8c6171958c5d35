import { propertyKey } from './names.ts';
import { propertiesOf } from './object-type.ts';
import { isSchema, referenceOf, resolve, type Schema } from './schema.ts';
import { oneOf } from './type-text.ts';

const longest = 160;
const longestType = 48;
/** More of them would not fit in any case. */
const mostKinds = 20;

/** `({ owner: string, repo: string, labels?: string[], … })`: enough to see whether a tool is the right one. */
export function signature(input: Schema): string {
  const properties = propertiesOf(input).sort((a, b) => Number(b[2]) - Number(a[2]));
  if (properties.length === 0) return '()';
  const shown: string[] = [];
  let room = longest;
  for (const [name, schema, isRequired] of properties) {
    const text = `${propertyKey(name)}${isRequired ? '' : '?'}: ${shortType(input, schema, 0)}`;
    room -= text.length + 2;
    if (room < 0) {
      shown.push('…');
      break;
    }
    shown.push(text);
  }
  return `({ ${shown.join(', ')} })`;
}

function shortType(root: Schema, given: unknown, depth: number): string {
  if (!isSchema(given) || depth > 4) return 'unknown';
  const reference = referenceOf(given);
  if (reference !== null) return shortType(root, resolve(root, reference), depth + 1);
  if ('const' in given || Array.isArray(given.enum)) {
    const { text } = oneOf(Array.isArray(given.enum) ? given.enum : [given.const]);
    return text.length <= longestType ? text : 'string';
  }
  const alternatives = [given.anyOf, given.oneOf].find(Array.isArray);
  const kinds = alternatives
    ? alternatives.slice(0, mostKinds).map((one) => shortType(root, one, depth + 1))
    : [...new Set([given.type].flat())].map((kind) => shortKind(root, given, kind, depth));
  const text = [...new Set(kinds)].join(' | ');
  return text.length <= longestType ? text : 'object';
}

function shortKind(root: Schema, { items }: Schema, kind: unknown, depth: number): string {
  if (kind === 'integer') return 'number';
  if (kind === 'array') {
    const inner = shortType(root, items, depth + 1);
    return inner.includes(' ') ? `(${inner})[]` : `${inner}[]`;
  }
  return typeof kind === 'string' && /^[a-z]{1,10}$/.test(kind) ? kind : 'unknown';
}
