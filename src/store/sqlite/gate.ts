import { CayError } from '../../errors.ts';
import { storeError } from './failures.ts';

/** Lets calls in until it is closed, and knows when the last of them is out. */
export class Gate {
  #inside = 0;
  #closed = false;
  readonly #empty = Promise.withResolvers<void>();

  /** Any error comes out as one with a code. */
  async enter<T>(work: () => T | Promise<T>): Promise<T> {
    if (this.#closed) throw new CayError('closed', 'The store is closed');
    this.#inside++;
    try {
      return await work();
    } catch (error) {
      throw storeError(error);
    } finally {
      this.#inside--;
      this.#settle();
    }
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#settle();
    return this.#empty.promise;
  }

  #settle(): void {
    if (this.#closed && this.#inside === 0) this.#empty.resolve();
  }
}
