/**
 * The states of an execution in this process. `admitted`: in the engine's queue, still queued for everybody else.
 * `ending`: its one terminal status is being stored. `left`: the server stops; the next start decides.
 */
export type LifeState = 'queued' | 'admitted' | 'started' | 'ending' | 'ended' | 'left';

const next: Readonly<Record<LifeState, readonly LifeState[]>> = {
  queued: ['admitted', 'ending', 'left'],
  admitted: ['started', 'ending', 'left'],
  started: ['ending', 'left'],
  ending: ['ended', 'left'],
  ended: [],
  left: [],
};

/** A life goes forwards only, and ends once: of those who race for a step, one gets true. */
export class Life {
  #state: LifeState = 'queued';

  get state(): LifeState {
    return this.#state;
  }

  get waiting(): boolean {
    return this.#state === 'queued' || this.#state === 'admitted';
  }

  get over(): boolean {
    return this.#state === 'ended' || this.#state === 'left';
  }

  move(to: LifeState): boolean {
    if (!next[this.#state].includes(to)) return false;
    this.#state = to;
    return true;
  }
}
