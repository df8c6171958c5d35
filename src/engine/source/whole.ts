import { type Origin, refuse, transformJavaScript, unchecked } from './javascript.ts';
import { offsetBefore } from './position-map.ts';
import { startAnew } from './redeclaration.ts';
import { type Language, type Refused, type Transformed, type Unparsed, untouched } from './types.ts';
import { type Lowered, lowerTypeScript } from './typescript.ts';

/** The whole transformation, JavaScript or TypeScript, on this thread: it may take long. */
export function transformWhole(source: string, language: Language = 'javascript'): Transformed | Refused {
  const typed = language === 'typescript' ? lowerTypeScript(source) : null;
  if (typed?.kind === 'lowered') return rewriteLowered(source, typed, null);
  const asJavaScript = transformJavaScript(source);
  return asJavaScript.kind === 'unparsed' ? transformTypeScript(source, asJavaScript) : asJavaScript;
}

function transformTypeScript(source: string, asJavaScript: Unparsed): Transformed | Refused {
  if (asJavaScript.overflow) return untouched(source);
  const lowered = lowerTypeScript(source);
  if (lowered.kind === 'lowered') return rewriteLowered(source, lowered, asJavaScript.offset);
  // Whoever gets further has understood more. V8's own words are the best for what is no TypeScript either.
  if (lowered.offset <= asJavaScript.offset) return untouched(source);
  return refuse(lowered.message, source, lowered.offset);
}

/** `failedAt`: where it stops being JavaScript, when that was tried before. */
function rewriteLowered(
  source: string,
  lowered: Extract<Lowered, { kind: 'lowered' }>,
  failedAt: number | null,
): Transformed | Refused {
  const origin: Origin = { submitted: source, pairs: lowered.pairs, prepare: startAnew };
  const transformed = transformJavaScript(lowered.source, origin);
  if (transformed.kind !== 'unparsed') return transformed;
  const offset = offsetBefore(lowered.pairs, transformed.offset);
  if (lowered.source[transformed.offset] === '@') {
    return refuse(
      'decorators are not supported: call the function on the class or the member instead.',
      source,
      offset,
    );
  }
  // The same error as before: it had nothing to do with types.
  return offset === failedAt ? untouched(source) : unchecked(lowered.source, origin);
}
