import { expose } from './expose.ts';
import { onFailure } from './parts.ts';
import {
  create,
  defineProperty,
  deleteProperty,
  functionPrototype,
  getOwnPropertyDescriptor,
  getProperty,
  globals,
  hasOwn,
  objectKeys,
} from './primordials.ts';

type Member = readonly [target: object, key: string | symbol];

const GLOBAL = '__core-js_shared__';

/**
 * core-js defines what is missing, so its members have to be missing while it is evaluated. The result puts everything
 * back as it was and gives core-js's values: what user code has put in place of a member, or deleted, stays so. core-js
 * also replaces Function.prototype.toString, to make its functions look native, and leaves a global behind.
 */
export function setAside<Values extends object>(members: { readonly [Name in keyof Values]: Member }): () => Values {
  const toText = getOwnPropertyDescriptor(functionPrototype, 'toString');
  const hadGlobal = hasOwn(globals, GLOBAL);
  const before: Record<string, PropertyDescriptor | undefined> = create(null);
  const names = objectKeys(members);
  const values: Values = create(null);

  for (let i = 0; i < names.length; i++) {
    const member = memberAt(i);
    before[names[i] ?? ''] = getOwnPropertyDescriptor(member[0], member[1]);
    deleteProperty(member[0], member[1]);
  }
  onFailure(takeBack);
  return takeBack;

  function takeBack(): Values {
    for (let i = 0; i < names.length; i++) {
      const name = names[i] ?? '';
      const member = memberAt(i);
      expose(values, name, getProperty(member[0], member[1]));
      const old = before[name];
      if (old === undefined) deleteProperty(member[0], member[1]);
      else defineProperty(member[0], member[1], old);
    }
    if (toText !== undefined) defineProperty(functionPrototype, 'toString', toText);
    if (!hadGlobal) deleteProperty(globals, GLOBAL);
    return values;
  }

  function memberAt(index: number): Member {
    return getProperty(members, names[index] ?? '');
  }
}
