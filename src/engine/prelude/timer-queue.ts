import { arrayPop, list } from './primordials.ts';

export interface Timer {
  readonly id: number;
  readonly callback: () => void;
  due: number;
  /** Breaks ties between timers that are due together. */
  order: number;
  /** 0: once. */
  readonly interval: number;
  hold: boolean;
  live: boolean;
}

/** A binary heap by (due, order). Cancelled timers stay until they come up, or until they are the most of it. */
export interface Queue {
  items: Timer[];
  dead: number;
}

const MIN_COMPACTED = 64;

export function emptyQueue(): Queue {
  return { items: list(), dead: 0 };
}

export function insert(queue: Queue, timer: Timer): void {
  if (queue.dead > MIN_COMPACTED && queue.dead * 2 > queue.items.length) compact(queue);
  const { items } = queue;
  let at = items.length;
  while (at > 0) {
    const parent = (at - 1) >>> 1;
    const above = items[parent];
    if (above === undefined || before(above, timer)) break;
    items[at] = above;
    at = parent;
  }
  items[at] = timer;
}

export function removeFirst(queue: Queue): void {
  const { items } = queue;
  const last = arrayPop(items);
  if (last === undefined || items.length === 0) return;
  let at = 0;
  for (;;) {
    let child = at * 2 + 1;
    let below = items[child];
    const right = items[child + 1];
    if (below === undefined) break;
    if (right !== undefined && before(right, below)) {
      child++;
      below = right;
    }
    if (before(last, below)) break;
    items[at] = below;
    at = child;
  }
  items[at] = last;
}

function compact(queue: Queue): void {
  const old = queue.items;
  queue.items = list();
  queue.dead = 0;
  for (let i = 0; i < old.length; i++) {
    const timer = old[i];
    if (timer?.live === true) insert(queue, timer);
  }
}

function before(a: Timer, b: Timer): boolean {
  return a.due < b.due || (a.due === b.due && a.order < b.order);
}
