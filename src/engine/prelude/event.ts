import type { EventTarget } from './event-target.ts';
import { enumerable, named, tagged } from './expose.ts';
import { exposeInspect } from './inspect-method.ts';
import { native } from './native.ts';
import { setPrototypeOf, TypeErrorClass, toBoolean } from './primordials.ts';

interface EventOptions {
  readonly bubbles?: unknown;
  readonly cancelable?: unknown;
  readonly composed?: unknown;
  readonly detail?: unknown;
}

/** What dispatch reads and writes in an event; hidden from user code. */
export interface Dispatch {
  target: EventTarget | null;
  running: boolean;
  stopped: boolean;
  passive: boolean;
}

export let dispatchOf: (event: Event) => Dispatch;
export let setTrusted: (event: Event) => void;

export class Event {
  readonly #type: string;
  readonly #bubbles: boolean;
  readonly #cancelable: boolean;
  readonly #composed: boolean;
  readonly #time = native.now();
  readonly #dispatch: Dispatch = { target: null, running: false, stopped: false, passive: false };
  #prevented = false;
  #stoppedPropagation = false;
  #trusted = false;

  constructor(...args: [type?: unknown, options?: EventOptions]) {
    if (args.length === 0) throw new TypeErrorClass('The "type" argument must be specified');
    setPrototypeOf(args, null);
    const options = args[1];
    this.#type = `${args[0]}`;
    this.#bubbles = toBoolean(options?.bubbles);
    this.#cancelable = toBoolean(options?.cancelable);
    this.#composed = toBoolean(options?.composed);
  }
  static {
    dispatchOf = (event) => event.#dispatch;
    setTrusted = (event) => {
      event.#trusted = true;
    };
  }
  get type(): string {
    return this.#type;
  }
  get target(): EventTarget | null {
    return this.#dispatch.target;
  }
  get currentTarget(): EventTarget | null {
    return this.#dispatch.running ? this.#dispatch.target : null;
  }
  get srcElement(): EventTarget | null {
    return this.#dispatch.target;
  }
  get bubbles(): boolean {
    return this.#bubbles;
  }
  get cancelable(): boolean {
    return this.#cancelable;
  }
  get composed(): boolean {
    return this.#composed;
  }
  get defaultPrevented(): boolean {
    return this.#prevented;
  }
  get returnValue(): boolean {
    return !this.#prevented;
  }
  get cancelBubble(): boolean {
    return this.#stoppedPropagation;
  }
  set cancelBubble(stop: unknown) {
    if (stop) this.#stoppedPropagation = true;
  }
  get eventPhase(): number {
    return this.#dispatch.running ? 2 : 0;
  }
  get timeStamp(): number {
    return this.#time;
  }
  get isTrusted(): boolean {
    return this.#trusted;
  }
  composedPath(): EventTarget[] {
    const { running, target } = this.#dispatch;
    return running && target !== null ? [target] : [];
  }
  preventDefault(): void {
    if (this.#cancelable && !this.#dispatch.passive) this.#prevented = true;
  }
  stopPropagation(): void {
    this.#stoppedPropagation = true;
  }
  stopImmediatePropagation(): void {
    this.#stoppedPropagation = true;
    this.#dispatch.stopped = true;
  }
}

export class CustomEvent extends Event {
  readonly #detail: unknown;
  constructor(type: unknown, options?: EventOptions) {
    super(type, options);
    this.#detail = options?.detail ?? null;
  }
  get detail(): unknown {
    return this.#detail;
  }
}

const members = ['type', 'target', 'currentTarget', 'srcElement', 'bubbles', 'cancelable', 'composed'];
enumerable(Event.prototype, members);
enumerable(Event.prototype, [
  'defaultPrevented',
  'returnValue',
  'cancelBubble',
  'eventPhase',
  'timeStamp',
  'isTrusted',
]);
enumerable(Event.prototype, ['composedPath', 'preventDefault', 'stopPropagation', 'stopImmediatePropagation']);
enumerable(CustomEvent.prototype, ['detail']);
tagged(Event.prototype, 'Event');
tagged(CustomEvent.prototype, 'CustomEvent');
exposeInspect(Event.prototype, (event) => ({
  type: event.type,
  defaultPrevented: event.defaultPrevented,
  cancelable: event.cancelable,
  timeStamp: event.timeStamp,
}));
named(Event, 'Event');
named(CustomEvent, 'CustomEvent');
