const loneSurrogate = /\\ud[89a-f]/i;

/** A JSON value whose texts are Unicode: half a character becomes U+FFFD, for not everyone can read one. */
export function wellFormed<T>(value: T, json: string): T {
  // JSON.stringify escapes a surrogate only where the other half is missing.
  return loneSurrogate.test(json) ? mended(value) : value;
}

function mended<T>(value: T): T;
function mended(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map((item: unknown) => mended(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key.toWellFormed(), mended(inside)]));
}
