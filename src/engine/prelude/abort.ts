import { domError } from './dom-error.ts';
import { Event, setTrusted } from './event.ts';
import { dispatch, EventTarget, observeListeners } from './event-target.ts';
import { enumerable, named, tagged } from './expose.ts';
import { exposeInspect } from './inspect-method.ts';
import { native } from './native.ts';
import { loadPart } from './parts.ts';
import { apply, list, TypeErrorClass, toNumber } from './primordials.ts';

interface State {
  aborted: boolean;
  reason: unknown;
  handler: unknown;
  /** Signals made by AbortSignal.any that follow this one. */
  readonly followers: AbortSignal[];
  /** For a time-out: when it is due on the run's clock, and its timer. */
  due: number;
  timer: number;
}

// Signals come from here only; `new AbortSignal()` is for nobody.
const key = {};
let stateOf: (signal: AbortSignal) => State;

export class AbortSignal extends EventTarget {
  readonly #state: State = { aborted: false, reason: undefined, handler: null, followers: list(), due: 0, timer: 0 };

  constructor(given?: object) {
    if (given !== key) throw new TypeErrorClass('Illegal constructor');
    super();
  }
  static {
    stateOf = (signal) => signal.#state;
  }
  static abort(reason?: unknown): AbortSignal {
    const signal = new AbortSignal(key);
    abort(signal, reason);
    return signal;
  }
  static timeout(delay: unknown): AbortSignal {
    const ms = toNumber(delay);
    if (!(ms >= 0 && ms < 2 ** 53)) throw new TypeErrorClass('Expected the delay to be a number of milliseconds');
    const signal = new AbortSignal(key);
    const state = stateOf(signal);
    const timers = loadPart('timers');
    state.due = native.now() + ms;
    state.timer = timers.addTimer(() => expire(signal), { delay: ms, repeat: false, hold: false });
    // Like Node's, it keeps nothing running by itself; but a run waits for it while someone listens.
    observeListeners(signal, (type, count) => {
      if (type === 'abort') timers.holdTimer(state.timer, count > 0 || state.followers.length > 0);
    });
    return signal;
  }
  static any(signals: Iterable<AbortSignal>): AbortSignal {
    const result = new AbortSignal(key);
    const sources = list<AbortSignal>();
    for (const signal of signals) {
      stateOf(signal);
      sources[sources.length] = signal;
    }
    for (let i = 0; i < sources.length; i++) {
      const source = sources[i];
      if (source === undefined || !source.aborted) continue;
      abort(result, source.reason);
      return result;
    }
    for (let i = 0; i < sources.length; i++) {
      const source = sources[i];
      if (source !== undefined) follow(result, stateOf(source));
    }
    return result;
  }
  get aborted(): boolean {
    expire(this);
    return this.#state.aborted;
  }
  get reason(): unknown {
    expire(this);
    return this.#state.reason;
  }
  get onabort(): unknown {
    return this.#state.handler;
  }
  set onabort(handler: unknown) {
    const state = this.#state;
    if (state.handler === null && typeof handler === 'function') {
      this.addEventListener('abort', (event: Event) => {
        if (typeof state.handler === 'function') apply(state.handler, this, [event]);
      });
    }
    state.handler = typeof handler === 'function' ? handler : null;
  }
  throwIfAborted(): void {
    if (this.aborted) throw this.#state.reason;
  }
}

export class AbortController {
  readonly #signal = new AbortSignal(key);
  get signal(): AbortSignal {
    return this.#signal;
  }
  abort(reason?: unknown): void {
    abort(this.#signal, reason);
  }
}

function follow(signal: AbortSignal, source: State): void {
  source.followers[source.followers.length] = signal;
  if (source.timer !== 0) loadPart('timers').holdTimer(source.timer, true);
}

function abort(signal: AbortSignal, reason: unknown): void {
  const state = stateOf(signal);
  if (state.aborted) return;
  state.aborted = true;
  state.reason = reason === undefined ? domError('This operation was aborted', 'AbortError') : reason;
  for (let i = 0; i < state.followers.length; i++) {
    const follower = state.followers[i];
    if (follower !== undefined) abort(follower, state.reason);
  }
  const event = new Event('abort');
  setTrusted(event);
  dispatch(signal, event);
}

function expire(signal: AbortSignal): void {
  const { aborted, due, timer } = stateOf(signal);
  if (timer === 0 || aborted || native.now() < due) return;
  abort(signal, domError('The operation was aborted due to timeout', 'TimeoutError'));
}

enumerable(AbortSignal.prototype, ['aborted', 'reason', 'onabort', 'throwIfAborted']);
enumerable(AbortController.prototype, ['signal', 'abort']);
tagged(AbortSignal.prototype, 'AbortSignal');
tagged(AbortController.prototype, 'AbortController');
exposeInspect(AbortSignal.prototype, (signal) => ({ aborted: signal.aborted }));
exposeInspect(AbortController.prototype, (controller) => ({ signal: controller.signal }));
named(AbortSignal, 'AbortSignal');
named(AbortController, 'AbortController');
