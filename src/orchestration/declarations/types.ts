import { commentOf } from './comments.ts';
import { objectType } from './object-type.ts';
import { isSchema, lastPart, listOf, numberOf, referenceOf, resolve, type Schema } from './schema.ts';
import { anything, arrayOf, atom, intersection, literal, nothing, oneOf, type TypeText, union } from './type-text.ts';

/** Where a type is written. */
interface Place {
  /** The reference whose definition this is a part of. */
  readonly home: string;
  /** No object and no array is between the definition and here: TypeScript refuses an alias that leads back to itself. */
  readonly direct: boolean;
  readonly depth: number;
  readonly indent: string;
}

const deepest = 16;
/** Characters; some thousand tokens. What does not fit is `unknown`. */
const roomForTypes = 16_000;
const mostDefinitions = 200;

/** `type Name = …;` for a schema and for everything that it refers to. `nameFor` gives each name once. */
export function typeDefinitions(root: Schema, name: string, nameFor: (wanted: string) => string): string[] {
  const names = new Map([['#', nameFor(name)]]);
  const definitions: string[] = [];
  let room = roomForTypes;
  let steps = mostSteps;
  const take = (text: string) => {
    room -= text.length;
    return room > 0;
  };

  function typeOf(schema: unknown, place: Place): TypeText {
    if (schema === false) return nothing;
    // Each look at a schema costs a character: what is written little of may still be much to walk through.
    if (!isSchema(schema) || place.depth > deepest || !take(' ')) return anything;
    const alternatives = [listOf(schema, 'anyOf'), listOf(schema, 'oneOf')].filter(({ length }) => length > 0);
    const parts = [
      ...listOf(schema, 'allOf').map((inner) => typeOf(inner, deeper(place))),
      ...alternatives.map((inner) => union(inner.map((one) => typeOf(one, deeper(place))))),
    ];
    const reference = referenceOf(schema);
    if (reference !== null) parts.unshift(named(reference, place));
    const whole = intersection([ownType(schema, place, parts.length > 0), ...parts]);
    return schema.nullable === true ? union([whole, atom('null')]) : whole;
  }

  function named(reference: string, { home, direct }: Place): TypeText {
    if (resolve(root, reference) === undefined || (direct && leadsTo(root, reference, home, () => steps-- > 0)))
      return anything;
    const known = names.get(reference);
    if (known !== undefined) return leaf(atom(known));
    if (names.size >= mostDefinitions) return anything;
    const given = nameFor(lastPart(reference));
    names.set(reference, given);
    return leaf(atom(given));
  }

  function leaf(type: TypeText): TypeText {
    return take(type.text) ? type : anything;
  }

  function ownType(schema: Schema, place: Place, hasParts: boolean): TypeText {
    if ('const' in schema) return leaf(literal(schema.const, 4));
    if (Array.isArray(schema.enum)) return leaf(oneOf(schema.enum));
    const kinds = kindsOf(schema);
    // `{"type": "object", "anyOf": […]}`: the alternatives say what kind of object.
    if (hasParts && kinds.length === 1 && kinds[0] === 'object' && !describesMembers(schema)) return anything;
    return kinds.length === 0 ? anything : union(kinds.map((kind) => typeOfKind(kind, schema, place)));
  }

  function typeOfKind(kind: unknown, schema: Schema, place: Place): TypeText {
    const inside: Place = { ...deeper(place), direct: false };
    switch (kind) {
      case 'string':
      case 'number':
      case 'boolean':
      case 'null':
        return leaf(atom(kind));
      case 'integer':
        return leaf(atom('number'));
      case 'array':
        // TypeScript looks into tuples at once, as it does into combinations: they are no place to lead back from.
        return arrayType(schema, (inner) =>
          typeOf(inner, isTuple(schema) ? { ...inside, direct: place.direct } : inside),
        );
      case 'object':
        return objectType(schema, place.indent, {
          typeOf: (inner) => typeOf(inner, { ...inside, indent: `${place.indent}  ` }),
          take,
        });
      default:
        return anything;
    }
  }

  // The map grows while its definitions are written, and gives the new ones as well.
  for (const [reference, given] of names) {
    const schema = resolve(root, reference);
    const { text } = typeOf(schema, { home: reference, direct: true, depth: 0, indent: '' });
    const about = reference === '#' ? '' : commentOf(schema);
    definitions.push(`${about && `${about}\n`}type ${given} = ${text};`);
  }
  return definitions;
}

const deeper = (place: Place): Place => ({ ...place, depth: place.depth + 1 });

function kindsOf(schema: Schema): readonly unknown[] {
  if (Array.isArray(schema.type)) return [...new Set(schema.type)];
  if (typeof schema.type === 'string') return [schema.type];
  if (describesMembers(schema)) return ['object'];
  return 'items' in schema || 'prefixItems' in schema ? ['array'] : [];
}

function describesMembers(schema: Schema): boolean {
  return ['properties', 'required', 'additionalProperties', 'patternProperties'].some((keyword) => keyword in schema);
}

const isTuple = (schema: Schema) => tupleMembers(schema).length > 0;

function tupleMembers(schema: Schema): readonly unknown[] {
  return listOf(schema, Array.isArray(schema.items) ? 'items' : 'prefixItems');
}

/** Before 2020-12 a tuple is a list under `items`, and `additionalItems` is what follows it. */
function arrayType(schema: Schema, typeOf: (inner: unknown) => TypeText): TypeText {
  const isOld = Array.isArray(schema.items);
  const members = tupleMembers(schema);
  const following = isOld ? schema.additionalItems : schema.items;
  if (members.length === 0) return arrayOf(typeOf(following ?? true));
  const least = numberOf(schema, 'minItems') ?? members.length;
  const parts = members.map((inner, index) => (index < least ? typeOf(inner).text : optional(typeOf(inner))));
  if (following === true || isSchema(following)) parts.push(`...${arrayOf(typeOf(following)).text}`);
  return atom(`[${parts.join(', ')}]`);
}

function optional({ text, kind }: TypeText): string {
  return kind === 'atom' ? `${text}?` : `(${text})?`;
}

/** Through references, for all definitions of a schema together. */
const mostSteps = 10_000;
const mostCombined = 50;

/** Whether a reference is another one by name alone: through references and combinations, not through members. */
function leadsTo(root: Schema, from: string, home: string, mayGoOn: () => boolean): boolean {
  const reached = new Set([from]);
  for (const reference of reached) {
    if (reference === home || !mayGoOn()) return true;
    for (const next of directReferences(resolve(root, reference), 0)) reached.add(next);
  }
  return false;
}

function directReferences(schema: unknown, depth: number): string[] {
  if (!isSchema(schema) || depth > deepest) return [];
  const reference = referenceOf(schema);
  const combined = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => listOf(schema, keyword).slice(0, mostCombined));
  const members = tupleMembers(schema);
  const following = members.length === 0 ? [] : [schema.items, schema.additionalItems];
  const inner = [...combined, ...members.slice(0, mostCombined), ...following].flatMap((one) =>
    directReferences(one, depth + 1),
  );
  return reference === null ? inner : [reference, ...inner];
}
