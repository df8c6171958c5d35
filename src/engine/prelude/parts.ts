import { native } from './native.ts';
import { create, TypeErrorClass } from './primordials.ts';

/**
 * Pieces of the prelude that are no part of a heap until code asks for them: every object of the base heap is restored
 * and saved again by every run. A part gives what it exports and changes nothing by itself.
 */
interface Parts {
  readonly inspect: typeof import('./part-inspect.ts');
  readonly console: typeof import('./part-console.ts');
  readonly timers: typeof import('./part-timers.ts');
  readonly intl: typeof import('./part-intl.ts');
  readonly errors: typeof import('./part-errors.ts');
  readonly events: typeof import('./part-events.ts');
  readonly encoding: typeof import('./part-encoding.ts');
  readonly platform: typeof import('./part-platform.ts');
  readonly builtins: typeof import('./part-builtins.ts');
  readonly temporal: typeof import('./part-temporal.ts');
  readonly url: typeof import('./part-url.ts');
  readonly tools: typeof import('./part-tools.ts');
  readonly fetch: typeof import('./part-fetch.ts');
  readonly artifact: typeof import('./part-artifact.ts');
}

export type PartName = keyof Parts;

/** The bundler puts the prelude's hash here: a heap asks for the parts of the prelude that is in it, and no others. */
const version = '(prelude version)';

let lent: readonly unknown[] = [];
let undo: (() => void) | undefined;
const loaded: { [Name in PartName]?: Parts[Name] | undefined } = create(null);

/** Once, when the base heap is baked: what the parts use of the prelude. */
export function provide(values: readonly unknown[]): void {
  lent = values;
}

/** A part, evaluated when it is first asked for. Throws where the build has none, or no stack is left to make it. */
export function loadPart<Name extends PartName>(name: Name): Parts[Name] {
  const known: Parts[Name] | undefined = loaded[name];
  if (known !== undefined) return known;
  const make = native.part<Parts[Name]>(`${name}@${version}`);
  if (make === undefined) throw new TypeErrorClass(`This build has no part '${name}'`);
  try {
    const made = make(lent);
    loaded[name] = made;
    return made;
  } catch (error) {
    undo?.();
    throw error;
  } finally {
    undo = undefined;
  }
}

/** For a part that changes something while it is evaluated. */
export function onFailure(callback: () => void): void {
  undo = callback;
}

/** A part, if this heap has asked for it. */
export function loadedPart<Name extends PartName>(name: Name): Parts[Name] | undefined {
  return loaded[name];
}

/** Lets go of a part that keeps nothing: made again when it is needed, it costs less than in every snapshot. */
export function forgetPart(name: PartName): void {
  loaded[name] = undefined;
}
