import { comment, commentOf } from './comments.ts';
import { propertyKey } from './names.ts';
import { isSchema, listOf, namedSchemas, type Schema } from './schema.ts';
import { anything, atom, type TypeText, union } from './type-text.ts';

const mostProperties = 200;
const widestLine = 72;

export interface Inside {
  /** The type of what is inside. */
  typeOf(schema: unknown): TypeText;
  /** Counts text that is going to be written; false when there is no room left for any. */
  take(text: string): boolean;
}

/** The type of a schema's objects, with a line for each property. */
export function objectType(schema: Schema, indent: string, { typeOf, take }: Inside): TypeText {
  const properties = propertiesOf(schema);
  const others = otherProperties(schema, typeOf);
  if (properties.length === 0) {
    if (others === null) return atom(`Record<string, ${schema.additionalProperties === false ? 'never' : 'unknown'}>`);
    return atom(others === anything ? 'Record<string, unknown>' : `{ [key: string]: ${others.text} }`);
  }
  const members: { comment: string; text: string }[] = [];
  for (const [name, inner, isRequired] of properties.slice(0, mostProperties)) {
    const [above, key] = [commentOf(inner), `${propertyKey(name)}${isRequired ? '' : '?'}: `];
    if (!take(`${indent}  ${above}${key}\n${indent}`)) break;
    members.push({ comment: above, text: key + typeOf(inner).text });
  }
  const left = properties.length - members.length;
  if (left > 0 || others !== null) members.push(rest(left, others));
  return atom(block(members, indent));
}

/** Name, schema and whether it must be there; also of what is required without being described. */
export function propertiesOf(schema: Schema): [name: string, schema: unknown, isRequired: boolean][] {
  const described = namedSchemas(schema, 'properties');
  const required = new Set(listOf(schema, 'required').filter((name) => typeof name === 'string'));
  const known = new Set(described.map(([name]) => name));
  const bare = [...required].filter((name) => !known.has(name));
  return [
    ...described.map(([name, inner]): [string, unknown, boolean] => [name, inner, required.has(name)]),
    ...bare.map((name): [string, unknown, boolean] => [name, true, true]),
  ];
}

/** What properties without a name of their own may hold; null where the schema says nothing of them, or forbids them. */
function otherProperties(schema: Schema, typeOf: (inner: unknown) => TypeText): TypeText | null {
  const { additionalProperties } = schema;
  const schemas = namedSchemas(schema, 'patternProperties').map(([, inner]) => inner);
  if (additionalProperties === true || isSchema(additionalProperties)) schemas.push(additionalProperties);
  return schemas.length === 0 ? null : union(schemas.slice(0, mostProperties).map(typeOf));
}

/** An index signature covers the named properties too, so beside them it can be no narrower than `unknown`. */
function rest(left: number, others: TypeText | null): { comment: string; text: string } {
  const narrow = others !== null && others !== anything && !/\n|\/\*/.test(others.text) ? others.text : '';
  const notes = [left > 0 ? `${left} more` : '', narrow && `others: ${narrow}`].filter(Boolean);
  return { comment: comment(notes.join('; ')), text: '[key: string]: unknown' };
}

function block(members: readonly { comment: string; text: string }[], indent: string): string {
  const line = `{ ${members.map(({ text }) => text).join('; ')} }`;
  if (line.length <= widestLine && !line.includes('\n') && members.every((one) => one.comment === '')) return line;
  const lines = members.flatMap(({ comment: above, text }) => [above, `${text};`]).filter(Boolean);
  return `{\n${lines.map((each) => `${indent}  ${each}\n`).join('')}${indent}}`;
}
