import { extname } from 'node:path';
import { type MessagePort, type Transferable, Worker } from 'node:worker_threads';
import { CayError } from '../../errors.ts';
import { type Failure, storeError } from './failures.ts';

/** What a thread can be asked: each name with what it takes and what it answers. */
type Calls = Record<string, (argument: never) => unknown>;
type Argument<C extends Calls, K extends keyof C> = Parameters<C[K]>[0];
type Answer<C extends Calls, K extends keyof C> = Awaited<ReturnType<C[K]>>;

export interface ThreadRequest {
  readonly number: number;
  readonly call: string;
  readonly argument: unknown;
}

type Reply = { number: number; value: unknown } | { number: number; failure: Failure };

export type Result =
  | { readonly number: number; readonly value: unknown }
  | { readonly number: number; readonly error: unknown };

/** How long a call may wait for another. */
const soonMs = 5;

/** A thread of ours that answers calls, with the failures that it had. */
export class Thread<C extends Calls> {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #held: ThreadRequest[] = [];
  #timer: NodeJS.Timeout | undefined;
  #next = 1;
  #gone: CayError | null = null;

  /** `name`: the module beside this one. */
  constructor(name: string, data: unknown) {
    // In what is published, the modules end with .js.
    this.#worker = new Worker(new URL(`./${name}${extname(import.meta.url)}`, import.meta.url), { workerData: data });
    this.#worker.on('message', (replies: readonly Reply[]) => {
      for (const reply of replies) this.#settle(reply);
    });
    this.#worker.on('error', (error) => this.#fail(storeError(error)));
    this.#worker.on('exit', () => this.#fail(new CayError('closed', 'The store is closed')));
  }

  call<K extends keyof C & string>(
    call: K,
    argument: Argument<C, K>,
    move: Transferable[] = [],
  ): Promise<Answer<C, K>> {
    const answer = this.#hold(call, argument);
    this.#send(move);
    return answer;
  }

  /** In order with the others, but in one message with the next of them if that comes soon. */
  callSoon<K extends keyof C & string>(call: K, argument: Argument<C, K>): Promise<Answer<C, K>> {
    const answer = this.#hold(call, argument);
    this.#timer ??= setTimeout(() => this.#send(), soonMs);
    return answer;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  async #hold<K extends keyof C & string>(call: K, argument: Argument<C, K>): Promise<Answer<C, K>> {
    if (this.#gone) throw this.#gone;
    const number = this.#next++;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(number, waiting);
    this.#held.push({ number, call, argument });
    return (await waiting.promise) as Answer<C, K>; // both ends are ours, and share the type C
  }

  #send(move: Transferable[] = []): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const requests = this.#held;
    this.#held = [];
    if (requests.length === 0) return;
    try {
      this.#worker.postMessage(requests, move);
    } catch (error) {
      for (const { number } of requests) this.#waiting.get(number)?.reject(storeError(error));
      for (const { number } of requests) this.#waiting.delete(number);
    }
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting.get(reply.number);
    this.#waiting.delete(reply.number);
    if ('value' in reply) waiting?.resolve(reply.value);
    else waiting?.reject(new CayError(reply.failure.code, reply.failure.message));
  }

  #fail(error: CayError): void {
    this.#gone ??= error;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#gone);
    this.#waiting.clear();
  }
}

export function answer(port: MessagePort, number: number, value: unknown): void {
  port.postMessage([{ number, value }] satisfies Reply[]);
}

export function refuse(port: MessagePort, number: number, error: unknown): void {
  answerAll(port, [{ number, error }]);
}

/** In one message: each costs the other thread a wake-up. */
export function answerAll(port: MessagePort, results: readonly Result[]): void {
  port.postMessage(results.map(reply));
}

function reply(result: Result): Reply {
  if ('value' in result) return result;
  const { code, message } = storeError(result.error);
  return { number: result.number, failure: { code, message } };
}
