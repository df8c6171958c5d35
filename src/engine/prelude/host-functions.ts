import { expose, named, ownValue } from './expose.ts';
import { hostError } from './host-error.ts';
import { native } from './native.ts';
import { deleteProperty, getOwnPropertyDescriptor, globals, list, parseJson, stringifyJson } from './primordials.ts';

export interface HostFunction {
  readonly name: string;
  readonly mode: 'sync' | 'async';
}

type Installed = readonly [name: string, value: object];
let installed = list<Installed>();

/** Makes exactly these host functions globals. Those of an earlier run go, unless user code has replaced them. */
export function installFunctions(functions: readonly HostFunction[]): void {
  for (let i = 0; i < installed.length; i++) {
    const old = installed[i];
    if (old !== undefined && holds(old)) deleteProperty(globals, old[0]);
  }
  installed = list();
  for (let i = 0; i < functions.length; i++) {
    const wanted = functions[i];
    if (wanted === undefined) continue;
    const value = named(wanted.mode === 'sync' ? syncCall(wanted.name) : asyncCall(wanted.name), wanted.name);
    expose(globals, wanted.name, value);
    installed[installed.length] = [wanted.name, value];
  }
}

function holds(old: Installed): boolean {
  const now = getOwnPropertyDescriptor(globals, old[0]);
  return now !== undefined && ownValue(now, 'value') === old[1];
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
