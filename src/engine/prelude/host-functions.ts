import { expose, named, ownValue } from './expose.ts';
import { hostError } from './host-error.ts';
import { lazily } from './lazy.ts';
import { native } from './native.ts';
import { loadedPart, type PartName } from './parts.ts';
import {
  deleteProperty,
  getOwnPropertyDescriptor,
  getProperty,
  globals,
  list,
  parseJson,
  stringifyJson,
} from './primordials.ts';

interface Plain {
  readonly name: string;
  readonly mode: 'sync' | 'async';
  readonly globals?: undefined;
}

/** One that the part of the same name calls: its globals are what the part exports. */
interface Wrapped {
  readonly name: PartName;
  readonly globals: readonly string[];
}

export type HostFunction = Plain | Wrapped;

/** A global, and what it held when it was made: the function, or the getter that loads the part. */
type Installed = readonly [name: string, value: object, part: PartName | null];
let installed = list<Installed>();

/** Makes exactly these host functions globals. Those of an earlier run go; what user code has put in their place stays. */
export function installFunctions(functions: readonly HostFunction[]): void {
  for (let i = 0; i < installed.length; i++) {
    const old = installed[i];
    if (old !== undefined && holds(old)) deleteProperty(globals, old[0]);
  }
  installed = list();
  for (let i = 0; i < functions.length; i++) {
    const wanted = functions[i];
    if (wanted === undefined) continue;
    if (wanted.globals === undefined) {
      const value = named(wanted.mode === 'sync' ? syncCall(wanted.name) : asyncCall(wanted.name), wanted.name);
      install(wanted.name, null, () => {
        expose(globals, wanted.name, value);
        return value;
      });
    } else {
      for (let k = 0; k < wanted.globals.length; k++) {
        const name = wanted.globals[k] ?? '';
        install(name, wanted.name, () => lazily(wanted.name, name, globals, name));
      }
    }
  }
}

function install(name: string, part: PartName | null, make: () => object): void {
  if (getOwnPropertyDescriptor(globals, name) !== undefined) return;
  installed[installed.length] = [name, make(), part];
}

function holds(old: Installed): boolean {
  const now = getOwnPropertyDescriptor(globals, old[0]);
  if (now === undefined) return false;
  const value = ownValue(now, 'value');
  if (value === old[1] || ownValue(now, 'get') === old[1]) return true;
  const made = old[2] === null ? undefined : loadedPart(old[2]);
  return made !== undefined && value === getProperty(made, old[0]);
}

function syncCall(name: string): (...args: unknown[]) => unknown {
  return (...args) => {
    const payload = stringifyJson(args);
    let reply: string;
    try {
      reply = native.callSync(name, payload);
    } catch (failure) {
      throw hostError(failure);
    }
    return parseJson(reply);
  };
}

function asyncCall(name: string): (...args: unknown[]) => Promise<unknown> {
  return async (...args) => {
    const payload = stringifyJson(args);
    let reply: string;
    try {
      reply = await native.callAsync(name, payload);
    } catch (failure) {
      throw hostError(failure);
    }
    return parseJson(reply);
  };
}
