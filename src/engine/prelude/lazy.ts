import { expose } from './expose.ts';
import {
  create,
  defineProperty,
  deleteProperty,
  getOwnPropertyDescriptor,
  getProperty,
  globals,
  hasOwn,
} from './primordials.ts';

export type Member = readonly [target: object, key: string | symbol];

const CORE_JS_GLOBAL = '__core-js_shared__';
const { prototype: functionPrototype } = Function;

/**
 * Defines members that are there only when someone looks: accessors that load what is behind all of them and give way
 * to it. Each object that is not made is one less in every heap: core-js and Temporal would double the base heap.
 */
export function lazily(load: () => unknown, members: readonly Member[]): void {
  let loaded = false;
  const accessors = members.map(([target, key]) => accessorFor(key, settle, target));
  place(members, accessors);

  function settle(): void {
    if (loaded) return;
    loaded = true;
    // What user code has put in place of a member, or deleted, stays so.
    const others: (PropertyDescriptor | null | undefined)[] = [];
    for (let i = 0; i < members.length; i++) {
      const member = members[i];
      if (member === undefined) continue;
      const now = getOwnPropertyDescriptor(member[0], member[1]);
      const ours = now !== undefined && now.get === accessors[i]?.get;
      expose(others, `${i}`, ours ? undefined : (now ?? null));
      deleteProperty(member[0], member[1]);
    }
    try {
      keepingBuiltins(load);
    } catch (error) {
      loaded = false;
      place(members, accessors);
      throw error;
    }
    place(members, others);
  }
}

/** Null: the member is deleted. Undefined: it stays as it is. */
function place(members: readonly Member[], descriptors: readonly (PropertyDescriptor | null | undefined)[]): void {
  for (let i = 0; i < members.length; i++) {
    const member = members[i];
    const descriptor = descriptors[i];
    if (member === undefined || descriptor === undefined) continue;
    if (descriptor === null) deleteProperty(member[0], member[1]);
    else defineProperty(member[0], member[1], descriptor);
  }
}

function accessorFor(key: string | symbol, settle: () => void, target: object): PropertyDescriptor {
  const accessor: PropertyDescriptor = create(null);
  accessor.configurable = true;
  accessor.get = function get() {
    settle();
    return getProperty(target, key);
  };
  accessor.set = function set(value: unknown) {
    expose(target, key, value);
  };
  return accessor;
}

// core-js replaces Function.prototype.toString, to make its functions look native, and leaves a global behind.
function keepingBuiltins(load: () => unknown): void {
  const toText = getOwnPropertyDescriptor(functionPrototype, 'toString');
  const hadGlobal = hasOwn(globals, CORE_JS_GLOBAL);
  try {
    load();
  } finally {
    if (toText !== undefined) defineProperty(functionPrototype, 'toString', toText);
    if (!hadGlobal) deleteProperty(globals, CORE_JS_GLOBAL);
  }
}
