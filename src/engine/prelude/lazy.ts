import { expose } from './expose.ts';
import { loadPart, type PartName } from './parts.ts';
import { create, defineProperty, getProperty, globals } from './primordials.ts';

/** Globals that a part exports under their names, there only when someone looks. */
export function lazyGlobals(part: PartName, names: readonly string[]): void {
  for (let i = 0; i < names.length; i++) lazily(part, names[i] ?? '', globals, names[i] ?? '');
}

/**
 * A member that gives way to what a part exports when it is first read, and to what is assigned when it is written.
 * Returns its getter, by which it is known until then.
 */
export function lazily(part: PartName, name: string, target: object, key: string | symbol): () => unknown {
  const accessor: PropertyDescriptor = create(null);
  accessor.configurable = true;
  const get = () => {
    const value: unknown = getProperty(loadPart(part), name);
    expose(target, key, value);
    return value;
  };
  accessor.get = get;
  accessor.set = function (this: unknown, value: unknown) {
    if (this === target || this === undefined) expose(target, key, value);
    else if (typeof this === 'object' && this !== null) expose(this, key, value, true);
  };
  defineProperty(target, key, accessor);
  return get;
}
