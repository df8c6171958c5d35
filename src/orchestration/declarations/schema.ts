/** A JSON Schema of someone else's making: anything may be anywhere in it. */
export type Schema = Readonly<Record<string, unknown>>;

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of a keyword that holds schemas by name. */
export function namedSchemas(schema: Schema, keyword: string): [name: string, schema: unknown][] {
  const value = schema[keyword];
  return isSchema(value) ? Object.entries(value) : [];
}

export function listOf(schema: Schema, keyword: string): readonly unknown[] {
  const value = schema[keyword];
  return Array.isArray(value) ? value : [];
}

export function textOf(schema: Schema, keyword: string): string | null {
  const value = schema[keyword];
  return typeof value === 'string' ? value : null;
}

export function numberOf(schema: Schema, keyword: string): number | null {
  const value = schema[keyword];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** What a `$ref` points to, as a JSON pointer; null where there is no reference. */
export function referenceOf(schema: Schema): string | null {
  return textOf(schema, '$ref') ?? textOf(schema, '$dynamicRef') ?? textOf(schema, '$recursiveRef');
}

/** The schema at a reference within the same document; undefined for every other reference, and for one to nothing. */
export function resolve(root: Schema, reference: string): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const key = unescaped(part);
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = Reflect.get(at, key);
  }
  return at;
}

/** What a reference calls its target. */
export function lastPart(reference: string): string {
  return unescaped(reference.split('/').at(-1) ?? '');
}

function unescaped(part: string): string {
  let text = part;
  try {
    text = decodeURIComponent(part);
  } catch {
    // not encoded: as it is
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}
