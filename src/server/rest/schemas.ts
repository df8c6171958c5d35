import { z } from 'zod';
import { nameOf } from '../named.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Writes schemas down for the description of the API; those that have a name are kept apart and referred to. */
export interface SchemaBook {
  write(schema: z.core.$ZodType, io: 'input' | 'output'): JsonSchema;
  /** Those with a name, by it. */
  readonly kept: ReadonlyMap<string, JsonSchema>;
}

export const schemasAt = '#/components/schemas/';

export function schemaBook(): SchemaBook {
  const kept = new Map<string, JsonSchema>();
  const write: SchemaBook['write'] = (schema, io) => {
    const name = nameOf(schema);
    if (name === undefined) return inFull(schema, io);
    if (!kept.has(name)) kept.set(name, inFull(schema, io));
    return { $ref: schemasAt + name };
  };
  const inFull: SchemaBook['write'] = (schema, io) => {
    const { $schema: _, ...json } = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      reused: 'inline',
      override: ({ zodSchema, jsonSchema }) => {
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
        if (zodSchema === schema || nameOf(zodSchema) === undefined) return;
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
        Object.assign(jsonSchema, write(zodSchema, io));
      },
    });
    return json;
  };
  return { write, kept };
}
