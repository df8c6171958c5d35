import { positionOf } from './positions.ts';
import {
  create,
  defineProperty,
  getProperty,
  globals,
  list,
  SetClass,
  setAdd,
  setDelete,
  setHas,
  setPrototypeOf,
  sliceText,
  TypeErrorClass,
} from './primordials.ts';

/** A name that a script assigns to and does not declare, and the text that makes the assignment throw. */
export type Guard = readonly [name: string, at: number, text: string];

// Top-level constants are global properties in the heap, so that they persist. That they are constant is known here.
const constants = new SetClass<string>();

/** A source with a guard before each assignment to a constant of an earlier run, and where texts were inserted. */
export function guarded(source: string, guards: readonly Guard[]): [source: string, inserted: number[]] {
  const inserted = list<number>();
  let text = '';
  let from = 0;
  let line = 0;
  let column = 0;
  for (let i = 0; i < guards.length; i++) {
    const guard = guards[i];
    if (guard === undefined || !setHas(constants, guard[0])) continue;
    const between = sliceText(source, from, guard[1]);
    const moved = positionOf(between, between.length);
    line += moved[0];
    column = moved[0] === 0 ? column + moved[1] : moved[1];
    inserted[inserted.length] = line;
    inserted[inserted.length] = column;
    inserted[inserted.length] = guard[2].length;
    text += between + guard[2];
    column += guard[2].length;
    from = guard[1];
  }
  return [from === 0 && inserted.length === 0 ? source : text + sliceText(source, from), inserted];
}

/** A name declared again loses its constancy, unless it is declared as a constant again. */
export function declare(declared: readonly string[], consts: readonly string[]): void {
  for (let i = 0; i < declared.length; i++) setDelete(constants, declared[i] ?? '');
  for (let i = 0; i < consts.length; i++) setAdd(constants, consts[i] ?? '');
}

const handler: ProxyHandler<object> = {
  get: (_target, key) => getProperty(globals, key),
  set() {
    throw new TypeErrorClass('Assignment to constant variable.');
  },
};
setPrototypeOf(handler, null);
const descriptor: PropertyDescriptor = create(null);
descriptor.value = new Proxy(create(null), handler);
defineProperty(globals, '__cay_const', descriptor);
