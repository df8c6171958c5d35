import { type Api, objectSchema } from '../rest/operations.ts';
import { type JsonSchema, schemasAt } from '../rest/schemas.ts';

/** A value that goes in or comes back, as one row of the page. */
export interface Field {
  /** `options.timeout_ms`, `executions[].status` */
  readonly name: string;
  /** `integer, 1 to 300` */
  readonly type: string;
  readonly required: boolean;
  readonly usual: string | null;
  readonly description: string;
}

type Schemas = Api['schemas'];

/** The fields of an object and of what is in it, from top to bottom. */
export function fieldsOf(schema: JsonSchema, schemas: Schemas, prefix = ''): Field[] {
  const { properties = {}, required = [] } = resolved(schema, schemas);
  return Object.entries(properties).flatMap(([name, property]) => {
    const own = objectSchema(property);
    const inside = innermost(own, schemas);
    const path = prefix + name;
    return [
      field(path, own, required.includes(name), schemas),
      ...fieldsOf(inside.schema, schemas, `${path}${inside.isArray ? '[]' : ''}.`),
    ];
  });
}

export function field(name: string, schema: JsonSchema, required: boolean, schemas: Schemas): Field {
  const { default: usual, description = '' } = schema;
  const isNews = usual !== undefined && typeof usual !== 'object';
  return { name, type: typeOf(schema, schemas), required, usual: isNews ? JSON.stringify(usual) : null, description };
}

/** What an array has in it, or what there is if it is not null. */
function innermost(schema: JsonSchema, schemas: Schemas): { schema: JsonSchema; isArray: boolean } {
  const found = resolved(schema, schemas);
  const [only, ...more] = (found.anyOf ?? []).filter((one) => objectSchema(one).type !== 'null');
  if (only !== undefined && more.length === 0) return innermost(objectSchema(only), schemas);
  if (found.type !== 'array') return { schema: found, isArray: false };
  return { schema: innermost(itemsOf(found), schemas).schema, isArray: true };
}

function typeOf(schema: JsonSchema, schemas: Schemas): string {
  const found = resolved(schema, schemas);
  if (found.anyOf) return found.anyOf.map((one) => typeOf(objectSchema(one), schemas)).join(' or ');
  if (found.enum) return found.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (found.const !== undefined) return JSON.stringify(found.const);
  switch (found.type) {
    case 'array':
      return `array of ${typeOf(itemsOf(found), schemas)}${bounds(found.minItems, found.maxItems, 'items')}`;
    case 'object':
      return isMap(found) ? `object of ${typeOf(objectSchema(found.additionalProperties), schemas)}` : 'object';
    case 'string':
      return `string${bounds(found.minLength, found.maxLength, 'characters')}`;
    case 'integer':
    case 'number':
      return found.type + bounds(found.minimum, found.maximum, '');
    default:
      return [found.type ?? 'any JSON'].flat().join(' or ');
  }
}

function isMap({ additionalProperties }: JsonSchema): boolean {
  return typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0;
}

function itemsOf({ items }: JsonSchema): JsonSchema {
  return Array.isArray(items) ? {} : objectSchema(items);
}

function bounds(least: number | undefined, most: number | undefined, unit: string): string {
  const of = unit === '' ? '' : ` ${unit}`;
  if (least !== undefined && most !== undefined) return `, ${least} to ${most}${of}`;
  if (most !== undefined) return `, at most ${most}${of}`;
  return least === undefined ? '' : `, at least ${least}${of}`;
}

function resolved(schema: JsonSchema, schemas: Schemas): JsonSchema {
  return schema.$ref === undefined ? schema : (schemas.get(schema.$ref.slice(schemasAt.length)) ?? {});
}
