import { fixed } from './expose.ts';
import { hostError } from './host-error.ts';
import { native } from './native.ts';
import {
  arrayPush,
  create,
  getProperty,
  hasOwn,
  list,
  MapClass,
  mapGet,
  mapSet,
  ObjectClass,
  PromiseClass,
  ProxyClass,
  parseJson,
  stringifyJson,
} from './primordials.ts';

/** The engine refuses calls beyond a limit that timers count against too: those above this number wait for their turn. */
const MAX_AT_ONCE = 500;

let atOnce = 0;
let waiting = list<() => void>();
let nextWaiting = 0;

/** `tools.<server>.<tool>(args)`. Which names there are, the host knows: every other one is a call that it refuses. */
export const tools = namesOf(serverTools, () => request('servers'));

function serverTools(server: string): object {
  return namesOf(
    (tool) => {
      const call = (args: unknown): Promise<unknown> => callTool(server, tool, args);
      fixed(call, 'name', tool);
      return call;
    },
    () => request('tools', server),
  );
}

/** An object whose every member is made when it is asked for, and whose names are those that the host lists. */
function namesOf(make: (name: string) => object, names: () => string[]): object {
  const made = new MapClass<string, object>();
  const handler: ProxyHandler<object> = create(null);
  handler.get = (target, key) => {
    if (typeof key !== 'string' || isImplicit(key) || hasOwn(target, key)) return getProperty(target, key);
    const known = mapGet(made, key);
    if (known !== undefined) return known;
    const value = make(key);
    mapSet(made, key, value);
    return value;
  };
  handler.has = (target, key) => hasOwn(target, key) || (typeof key === 'string' && includes(names(), key));
  handler.ownKeys = names;
  handler.getOwnPropertyDescriptor = (target, key) => {
    if (typeof key !== 'string' || !includes(names(), key)) return undefined;
    const descriptor: PropertyDescriptor = create(null);
    descriptor.value = handler.get?.(target, key, target);
    descriptor.writable = true;
    descriptor.enumerable = true;
    descriptor.configurable = true;
    return descriptor;
  };
  return new ProxyClass({}, handler);
}

/** Names that the language itself asks for: `await tools.server` must not call a tool, nor JSON.stringify. */
function isImplicit(key: string): boolean {
  return key === 'then' || key === 'toJSON' || hasOwn(ObjectClass.prototype, key);
}

function includes(names: readonly string[], name: string): boolean {
  for (let i = 0; i < names.length; i++) if (names[i] === name) return true;
  return false;
}

/** The arguments are copied before anything is waited for. */
async function callTool(server: string, tool: string, args: unknown): Promise<unknown> {
  const payload = payloadOf('call', server, tool, args);
  if (atOnce >= MAX_AT_ONCE) await new PromiseClass<void>((resolve) => arrayPush(waiting, resolve));
  else atOnce++;
  let reply: string;
  try {
    reply = await native.callAsync('tools', payload);
  } catch (failure) {
    throw hostError(failure);
  } finally {
    passOn();
  }
  return parseJson(reply);
}

/** Gives this call's place to the one that waited longest. */
function passOn(): void {
  const next = waiting[nextWaiting++];
  if (next !== undefined) return next();
  atOnce--;
  waiting = list();
  nextWaiting = 0;
}

function request(question: string, server?: string): string[] {
  try {
    return parseJson(native.callSync('tools', payloadOf(question, server)));
  } catch (failure) {
    throw hostError(failure);
  }
}

/** Without a prototype, whose `toJSON` user code may have set. */
function payloadOf(question: unknown, server?: unknown, tool?: unknown, args?: unknown): string {
  const items = list<unknown>();
  items[0] = question;
  items[1] = server;
  items[2] = tool;
  items[3] = args;
  return stringifyJson(items);
}
