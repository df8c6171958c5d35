import { format } from 'node:util';
import vm from 'node:vm';
import { transform } from '../../../src/engine/source/transform.ts';

/** What a step gave: its value or its error, and what it printed. */
export interface StepResult {
  readonly text: string;
  readonly output: string;
}

/** Runs the steps one after the other in one context of this process: no snapshot, no restore. */
export class PlainIsolate {
  readonly #context = vm.createContext(vm.constants.DONT_CONTEXTIFY);
  readonly #consts = new Set<string>();
  #output = '';

  constructor() {
    const log = (...values: unknown[]): void => {
      this.#output += `${format(...values).toWellFormed()}\n`;
    };
    this.#context.console = { log };
    this.#context.queueMicrotask = vm.runInContext('((f) => void Promise.resolve().then(f))', this.#context);
    vm.runInContext(
      `Object.defineProperty(globalThis, '__cay_const', { value: new Proxy({}, {
        get: (_, name) => globalThis[name],
        set() { throw new TypeError('Assignment to constant variable.') },
      }) })`,
      this.#context,
    );
  }

  async step(source: string): Promise<StepResult> {
    this.#output = '';
    const text = await this.#evaluate(source).catch((error: unknown) => `thrown ${error}`);
    await new Promise(setImmediate); // what is left of the microtasks
    return { text, output: this.#output };
  }

  async #evaluate(source: string): Promise<string> {
    const code = await transform(source);
    if (code.kind === 'refused') return `thrown ${code.name}: ${code.message}`;
    let text = code.source;
    for (const [name, at, guard] of code.guards.toReversed()) {
      if (this.#consts.has(name)) text = text.slice(0, at) + guard + text.slice(at);
    }
    for (const name of code.declared) this.#consts.delete(name);
    for (const name of code.consts) this.#consts.add(name);
    const value: unknown = vm.runInContext(text, this.#context, { timeout: 20_000 });
    const box: unknown = code.wrapped ? await value : [value];
    return String(Array.isArray(box) ? box[0] : box);
  }
}
