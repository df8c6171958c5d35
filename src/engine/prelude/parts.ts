import { native } from './native.ts';
import { TypeErrorClass } from './primordials.ts';

/** Pieces of the prelude that are no part of a heap until code asks for them: part-NAME.ts, each a bundle of its own. */
interface Parts {
  readonly builtins: object;
  readonly temporal: typeof import('./part-temporal.ts');
  readonly url: typeof import('./part-url.ts');
}

export type PartName = keyof Parts;

// As a value, and not by its name, eval runs in the global scope: a part sees nothing of the prelude.
// biome-ignore lint/security/noGlobalEval: it evaluates our own text only
const evaluate = eval;

export function loadPart<Name extends PartName>(name: Name): Parts[Name] {
  const source = native.part(name);
  if (source === undefined) throw new TypeErrorClass(`This build has no part '${name}'`);
  return evaluate(source)();
}
