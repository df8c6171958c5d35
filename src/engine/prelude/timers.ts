import { hostError } from './host-error.ts';
import { native } from './native.ts';
import { ceil, MapClass, mapClear, mapDelete, mapGet, mapSet, max } from './primordials.ts';
import { emptyQueue, insert, type Queue, removeFirst, type Timer } from './timer-queue.ts';
import { reportUncaught } from './uncaught.ts';

// Times are those of the run's clock, which begins at zero: the queue is empty whenever a run begins.
let queue: Queue = emptyQueue();
const timers = new MapClass<number, Timer>();
let lastId = 0;
let held = 0;
let sleep: { readonly id: number; readonly due: number } | null = null;

interface Timing {
  readonly delay: number;
  readonly repeat: boolean;
  /** Whether the run waits for it. */
  readonly hold: boolean;
}

export function addTimer(callback: () => void, timing: Timing): number {
  const id = ++lastId;
  const due = native.now() + timing.delay;
  const timer: Timer = {
    id,
    callback,
    due,
    order: id,
    interval: timing.repeat ? timing.delay : 0,
    hold: timing.hold,
    live: true,
  };
  mapSet(timers, id, timer);
  insert(queue, timer);
  if (timer.hold) held++;
  try {
    arrange();
  } catch (error) {
    removeTimer(id);
    throw error;
  }
  return id;
}

export function removeTimer(id: number): void {
  const timer = mapGet(timers, id);
  if (timer === undefined) return;
  forget(timer);
  queue.dead++;
  if (sleep !== null) arrange();
}

/** Whether the run waits for a timer can change while it is pending. */
export function holdTimer(id: number, hold: boolean): void {
  const timer = mapGet(timers, id);
  if (timer === undefined || timer.hold === hold) return;
  timer.hold = hold;
  held += hold ? 1 : -1;
  arrange();
}

export function resetTimers(): void {
  queue = emptyQueue();
  mapClear(timers);
  held = 0;
  sleep = null;
}

function forget(timer: Timer): void {
  timer.live = false;
  mapDelete(timers, timer.id);
  if (timer.hold) held--;
}

/** Keeps one sleep with the host, for the earliest timer, and none when the run need not wait. */
function arrange(): void {
  const first = held > 0 ? firstLive() : undefined;
  if (sleep !== null && sleep.due === first?.due) return;
  wake();
  if (first === undefined) return;
  const delay = max(0, ceil(first.due - native.now()));
  try {
    sleep = { id: native.schedule('sleep', `${delay}`, fire), due: first.due };
  } catch (failure) {
    throw hostError(failure);
  }
}

function wake(): void {
  if (sleep !== null) native.cancel(sleep.id);
  sleep = null;
}

/** Runs one timer that is due; true: another one is. */
function fire(): boolean {
  sleep = null;
  const timer = firstLive();
  if (timer !== undefined && timer.due <= native.now()) {
    removeFirst(queue);
    if (timer.interval === 0) forget(timer);
    try {
      timer.callback();
    } catch (error) {
      reportUncaught(error, false);
    }
    if (timer.live) {
      timer.due = native.now() + timer.interval;
      timer.order = ++lastId;
      insert(queue, timer);
    }
  }
  const next = held > 0 ? firstLive() : undefined;
  if (next !== undefined && next.due <= native.now()) {
    wake(); // A callback may have arranged a sleep of its own; this turn goes on without it.
    return true;
  }
  try {
    arrange();
  } catch (error) {
    reportUncaught(error, false);
  }
  return false;
}

function firstLive(): Timer | undefined {
  let first = queue.items[0];
  while (first !== undefined && !first.live) {
    removeFirst(queue);
    queue.dead--;
    first = queue.items[0];
  }
  return first;
}
