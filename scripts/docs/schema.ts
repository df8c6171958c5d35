import { z } from 'zod';
import { code, table } from './markdown.ts';

type Json = z.core.JSONSchema.JSONSchema;

/** A table of what an object takes. */
export function inputTable(schema: z.ZodObject, leftOut: readonly string[] = []): string {
  const { properties = {}, required = [] } = asJson(schema, 'input');
  const rows = flat(properties, leftOut).map(({ name, schema: one, inside }) => [
    code(name),
    typeOf(one),
    !inside && required.includes(name) ? 'needed' : defaultOf(one),
    one.description ?? '',
  ]);
  return rows.length === 0 ? 'Takes nothing.' : table(['parameter', 'type', 'default', 'meaning'], rows);
}

/** A table of what an answer has. Fields that are not always there have a `?`. */
export function outputTable(schema: z.ZodObject): string {
  const { properties = {}, required = [] } = asJson(schema, 'output');
  const rows = flat(properties, []).map(({ name, schema: one, inside }) => [
    code(name) + (inside || required.includes(name) ? '' : '?'),
    typeOf(one),
    one.description ?? '',
  ]);
  return table(['field', 'type', 'meaning'], rows);
}

interface Row {
  readonly name: string;
  readonly schema: Json;
  readonly inside: boolean;
}

/** Objects within, by their paths: `options.timeout_ms`, `calls[].tool`. */
function flat(properties: Json['properties'], leftOut: readonly string[], above = ''): Row[] {
  return Object.entries(properties ?? {}).flatMap(([key, value]) => {
    if (typeof value !== 'object' || (above === '' && leftOut.includes(key))) return [];
    const name = `${above}${key}`;
    const items = typeof value.items === 'object' && !Array.isArray(value.items) ? value.items : undefined;
    const within = (value.anyOf?.find((one) => typeof one === 'object' && one.properties) ?? value).properties;
    return [
      { name, schema: value, inside: above !== '' },
      ...flat(within, [], `${name}.`),
      ...flat(items?.properties, [], `${name}[].`),
    ];
  });
}

/** What a value may be, in few words: `whole number, 8–4096`. */
export function typeOf(schema: Json | boolean | undefined): string {
  if (typeof schema !== 'object') return 'any JSON';
  if (typeof schema.expected === 'string') return schema.expected.replace(/^a rule/, 'rules');
  if (schema.enum) return schema.enum.map((value) => code(JSON.stringify(value))).join(', ');
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' or ');
  switch (schema.type) {
    case 'integer':
      return `whole number${range(schema)}`;
    case 'number':
      return `number${range(schema)}`;
    case 'string':
      return schema.maxLength === undefined ? 'text' : `text, at most ${schema.maxLength} characters`;
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    case 'array': {
      const most = schema.maxItems === undefined ? '' : `, at most ${schema.maxItems}`;
      return Array.isArray(schema.items) ? 'list' : `list of ${plural(typeOf(schema.items))}${most}`;
    }
    case 'object':
      return typeof schema.additionalProperties === 'object' && !schema.properties
        ? `object: names to ${plural(typeOf(schema.additionalProperties))}`
        : 'object';
    default:
      return 'any JSON';
  }
}

/** As people write it in the file; nothing for what is left out. */
export function defaultOf({ default: value }: Json): string {
  if (value === undefined) return '';
  return value === '' ? code('""') : code(typeof value === 'string' ? value : JSON.stringify(value));
}

export function asJson(schema: z.ZodType, io: 'input' | 'output'): Json {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' });
}

function plural(type: string): string {
  return type.replace(/^(text|object)\b/, (word) => (word === 'text' ? 'texts' : 'objects'));
}

/** Zod bounds every whole number by what a double can count. */
function range({ minimum, maximum, exclusiveMinimum }: Json): string {
  const low = minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum;
  const high = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (low !== undefined && high !== undefined) return `, ${low}–${high}`;
  if (exclusiveMinimum !== undefined) return `, above ${exclusiveMinimum}`;
  if (low !== undefined) return `, at least ${low}`;
  return high === undefined ? '' : `, at most ${high}`;
}
