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
  for (let i = 0; i < guards.length; i++) {
    const guard = guards[i];
    if (guard === undefined || !setHas(constants, guard[0])) continue;
    text += sliceText(source, from, guard[1]) + guard[2];
    from = guard[1];
    const position = positionOf(text, text.length - guard[2].length);
    inserted[inserted.length] = position[0];
    inserted[inserted.length] = position[1];
    inserted[inserted.length] = guard[2].length;
  }
  return [from === 0 && inserted.length === 0 ? source : text + sliceText(source, from), inserted];
}

/** A name declared again loses its constancy, unless it is declared as a constant again. */
export function declare(declared: readonly string[], consts: readonly string[]): void {
  for (let i = 0; i < declared.length; i++) setDelete(constants, declared[i] ?? '');
  for (let i = 0; i < consts.length; i++) setAdd(constants, consts[i] ?? '');
}

const handler: ProxyHandler<object> = create(null);
handler.get = (_target, key) => getProperty(globals, key);
handler.set = () => {
  throw new TypeErrorClass('Assignment to constant variable.');
};
const descriptor: PropertyDescriptor = create(null);
descriptor.value = new Proxy(create(null), handler);
defineProperty(globals, '__cay_const', descriptor);
