import { z } from 'zod';

/**
 * A schema as tools/list has it. Models read it with every conversation, so what says nothing is left out: the dialect,
 * which is MCP's own, the bounds that zod gives every whole number, and that answers have no other fields.
 */
export function listedSchema(schema: z.ZodObject, io: 'input' | 'output'): object {
  const { $schema: _, ...listed } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return listed;
}
