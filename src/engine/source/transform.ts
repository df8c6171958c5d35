import { transformJavaScript } from './javascript.ts';
import { offload } from './offload.ts';
import type { Language, Refused, Transformed } from './types.ts';

// The server's main thread must not be held for more than 10 ms. acorn is quadratic in places: 512 nested blocks with a
// `var` each take 4 to 9 ms at this length and over 400 ms at 32 KiB; ordinary code of this length takes 1 to 4 ms.
// Measured on 2 shared cores, Node 26.10, once the parser is warm: its very first call takes 15 to 27 ms.
const MAX_LENGTH_HERE = 4 * 1024;

/**
 * What V8 is to compile for a source with the manners of the DevTools console: top-level `await` and `return`,
 * declarations that stay and may be repeated, TypeScript.
 */
export async function transform(source: string, language: Language = 'javascript'): Promise<Transformed | Refused> {
  if (source.length > MAX_LENGTH_HERE || language === 'typescript') return offload(source, language);
  const transformed = transformJavaScript(source);
  return transformed.kind === 'unparsed' ? offload(source, language) : transformed;
}
