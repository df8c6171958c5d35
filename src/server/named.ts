import type { z } from 'zod';

const names = new WeakMap<object, string>();

/** A schema that the description of the API keeps under a name, and that others refer to. */
export function named<S extends z.ZodType>(name: string, schema: S): S {
  names.set(schema, name);
  return schema;
}

export function nameOf(schema: object): string | undefined {
  return names.get(schema);
}
