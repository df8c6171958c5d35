import { domError } from './dom-error.ts';
import { type Dispatch, dispatchOf, type Event } from './event.ts';
import { enumerable, named, tagged } from './expose.ts';
import { exposeInspect } from './inspect-method.ts';
import { apply, arraySlice, arraySplice, list, MapClass, mapGet, mapSet, toBoolean } from './primordials.ts';
import { reportUncaught } from './uncaught.ts';

interface ListenerOptions {
  readonly capture?: unknown;
  readonly once?: unknown;
  readonly passive?: unknown;
  readonly signal?: EventTarget & { readonly aborted: boolean };
}

type Callback = ((event: Event) => unknown) | { readonly handleEvent?: unknown };

interface Listener {
  readonly callback: Callback;
  readonly capture: boolean;
  readonly once: boolean;
  readonly passive: boolean;
  removed: boolean;
}

/** A target's listeners by type, and who wants to know when their number changes. */
interface Registry {
  readonly byType: Map<string, Listener[]>;
  changed: ((type: string, count: number) => void) | null;
}

let registryOf: (target: EventTarget) => Registry;

export class EventTarget {
  readonly #registry: Registry = { byType: new MapClass(), changed: null };
  static {
    registryOf = (target) => target.#registry;
  }
  addEventListener(type: unknown, callback: unknown, options?: ListenerOptions | boolean): void {
    const name = `${type}`;
    const registry = this.#registry;
    if (!isCallback(callback)) return;
    const bag: ListenerOptions = typeof options === 'object' && options !== null ? options : { capture: options };
    const capture = toBoolean(bag.capture);
    const { signal } = bag;
    if (signal?.aborted === true) return;
    const known = mapGet(registry.byType, name) ?? list<Listener>();
    if (find(known, callback, capture) !== -1) return;
    mapSet(registry.byType, name, known);
    known[known.length] = {
      callback,
      capture,
      once: toBoolean(bag.once),
      passive: toBoolean(bag.passive),
      removed: false,
    };
    if (signal !== undefined) signal.addEventListener('abort', () => remove(registry, name, callback, capture));
    registry.changed?.(name, known.length);
  }
  removeEventListener(type: unknown, callback: unknown, options?: ListenerOptions | boolean): void {
    const capture = toBoolean(typeof options === 'object' && options !== null ? options.capture : options);
    if (isCallback(callback)) remove(this.#registry, `${type}`, callback, capture);
  }
  dispatchEvent(event: Event): boolean {
    const state = dispatchOf(event);
    if (state.running) throw domError('The event is already being dispatched', 'InvalidStateError');
    dispatch(this, event, state);
    return !event.defaultPrevented;
  }
}

/** Calls back whenever the number of listeners of a type changes. */
export function observeListeners(target: EventTarget, changed: (type: string, count: number) => void): void {
  registryOf(target).changed = changed;
}

/** Runs the listeners that are there now. What one throws is reported, and the next runs. */
export function dispatch(target: EventTarget, event: Event, state: Dispatch = dispatchOf(event)): void {
  const registry = registryOf(target);
  const name = event.type;
  const listeners = mapGet(registry.byType, name);
  state.target = target;
  if (listeners === undefined) return;
  state.running = true;
  const now = arraySlice(listeners);
  for (let i = 0; i < now.length && !state.stopped; i++) {
    const listener = now[i];
    if (listener === undefined || listener.removed) continue;
    if (listener.once) remove(registry, name, listener.callback, listener.capture);
    state.passive = listener.passive;
    try {
      call(listener.callback, target, event);
    } catch (error) {
      reportUncaught(error, false);
    }
  }
  state.passive = false;
  state.running = false;
  state.stopped = false;
}

function call(callback: Callback, target: EventTarget, event: Event): void {
  if (typeof callback === 'function') {
    apply(callback, target, [event]);
    return;
  }
  const { handleEvent } = callback;
  if (typeof handleEvent === 'function') apply(handleEvent, callback, [event]);
}

function remove(registry: Registry, type: string, callback: Callback, capture: boolean): void {
  const known = mapGet(registry.byType, type);
  const index = known === undefined ? -1 : find(known, callback, capture);
  const listener = known?.[index];
  if (known === undefined || listener === undefined) return;
  listener.removed = true;
  arraySplice(known, index, 1);
  registry.changed?.(type, known.length);
}

function find(listeners: readonly Listener[], callback: Callback, capture: boolean): number {
  for (let i = 0; i < listeners.length; i++) {
    if (listeners[i]?.callback === callback && listeners[i]?.capture === capture) return i;
  }
  return -1;
}

function isCallback(value: unknown): value is Callback {
  return typeof value === 'function' || (typeof value === 'object' && value !== null);
}

enumerable(EventTarget.prototype, ['addEventListener', 'removeEventListener', 'dispatchEvent']);
tagged(EventTarget.prototype, 'EventTarget');
exposeInspect(EventTarget.prototype, () => ({}));
named(EventTarget, 'EventTarget');
