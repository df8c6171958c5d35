import { z } from 'zod';

type JsonSchema = z.core.JSONSchema.JSONSchema;

const made = new WeakMap<z.ZodType, JsonSchema>();

/** A schema as JSON Schema, for what a caller may send. Made once. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const before = made.get(schema);
  if (before) return before;
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' });
  made.set(schema, json);
  return json;
}

/** What a schema expects at a path, in words: `a whole number from 8 to 4096`. */
export function expectation(schema: z.ZodType, path: readonly string[]): string {
  const inside = schemaAt(jsonSchemaOf(schema), path);
  return inside ? inWords(inside) : 'something else';
}

/** The names that an object has at a path. */
export function namesAt(schema: z.ZodType, path: readonly string[]): string[] {
  return Object.keys(schemaAt(jsonSchemaOf(schema), path)?.properties ?? {});
}

function schemaAt(schema: JsonSchema, path: readonly string[]): JsonSchema | null {
  const [key, ...rest] = path;
  if (key === undefined) return schema;
  const inside = schema.properties?.[key] ?? schema.items ?? schema.additionalProperties;
  return typeof inside === 'object' && !Array.isArray(inside) ? schemaAt(inside, rest) : null;
}

function inWords(schema: JsonSchema): string {
  if (typeof schema.expected === 'string') return schema.expected;
  if (schema.anyOf) return schema.anyOf.map(inWords).join(' or ');
  if (schema.enum) return `one of ${schema.enum.map((value) => JSON.stringify(value)).join(', ')}`;
  switch (schema.type) {
    case 'integer':
      return `a whole number${range(schema)}`;
    case 'number':
      return `a number${range(schema)}`;
    case 'string':
      return `a string${length(schema)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return schema.maxItems === undefined ? 'an array' : `an array of at most ${schema.maxItems}`;
    case 'object':
      return 'an object';
    default:
      return 'something else';
  }
}

/** Zod bounds every whole number by what a double can count; that is no news to anyone. */
function range({ minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  const low = minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum;
  const high = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (low !== undefined && high !== undefined) return ` from ${low} to ${high}`;
  if (exclusiveMinimum !== undefined) return ` above ${exclusiveMinimum}`;
  if (low !== undefined) return ` of at least ${low}`;
  return high === undefined ? '' : ` of at most ${high}`;
}

function length({ minLength, maxLength }: JsonSchema): string {
  if (maxLength !== undefined) return ` of at most ${maxLength} characters`;
  return minLength === undefined ? '' : ' that is not empty';
}
