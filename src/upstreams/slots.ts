/** Lets so many in at once; the others wait in the order in which they came. */
export class Slots {
  readonly #size: number;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(size: number) {
    this.#size = size;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Resolves with what gives the slot back; rejects with the signal's reason. */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#taken < this.#size) this.#taken++;
    else await this.#handedOver(signal);
    return () => {
      const [next] = this.#waiting;
      if (next) next();
      else this.#taken--;
    };
  }

  /** A slot goes from hand to hand: were it free for a moment, whoever came last could take it first. */
  #handedOver(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(enter);
        signal.removeEventListener('abort', giveUp);
      };
      const enter = () => {
        leave();
        resolve();
      };
      const giveUp = () => {
        leave();
        reject(signal.reason);
      };
      this.#waiting.add(enter);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }
}
