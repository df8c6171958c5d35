import { createInterface, type Interface } from 'node:readline/promises';

/** `interrupt`: Ctrl-C while a line was awaited; `dropped` says whether there was text on it. */
export type Input =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'interrupt'; readonly dropped: boolean }
  | { readonly kind: 'end' };

/** Standard input line by line, with a prompt and line editing on a terminal. What is typed ahead waits. */
export class Lines {
  readonly terminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  readonly #readline: Interface;
  readonly #ahead: string[] = [];
  #waiting: ((input: Input) => void) | null = null;
  #ended = false;
  /** Called for a Ctrl-C while no line is awaited. */
  onInterrupt: () => void = () => {};

  constructor() {
    const output = this.terminal ? { output: process.stdout } : {};
    this.#readline = createInterface({ input: process.stdin, terminal: this.terminal, prompt: '', ...output });
    this.#readline.on('line', (text) => this.#receive(text));
    this.#readline.on('SIGINT', this.#interrupt);
    this.#readline.on('close', () => {
      this.#ended = true;
      this.#answer({ kind: 'end' });
    });
    process.on('SIGINT', this.#interrupt);
  }

  next(prompt: string): Promise<Input> {
    const text = this.#ahead.shift();
    if (text !== undefined) return Promise.resolve({ kind: 'line', text });
    if (this.#ended) return Promise.resolve({ kind: 'end' });
    if (this.terminal) {
      this.#readline.setPrompt(prompt);
      this.#readline.prompt(true);
    }
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  close(): void {
    process.off('SIGINT', this.#interrupt);
    this.#readline.close();
  }

  #receive(text: string): void {
    if (this.#waiting) this.#answer({ kind: 'line', text });
    else this.#ahead.push(text);
  }

  #answer(input: Input): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (this.terminal && !this.#ended) this.#readline.setPrompt(''); // typed ahead, it is echoed without one
    waiting?.(input);
  }

  readonly #interrupt = (): void => {
    const dropped = this.#readline.line !== '';
    if (this.terminal && !this.#ended) {
      this.#ahead.length = 0;
      this.#readline.write(null, { ctrl: true, name: 'e' });
      this.#readline.write(null, { ctrl: true, name: 'u' });
      process.stdout.write('\n');
    }
    if (this.#waiting) this.#answer({ kind: 'interrupt', dropped });
    else this.onInterrupt();
  };
}
