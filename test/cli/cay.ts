import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { atEnd } from '../cleanup.ts';

export const main = join(import.meta.dirname, '../../src/cli/main.ts');

/** Whatever whoever runs the tests has set for their own server and terminal. */
const nothingSet = {
  CAY_URL: undefined,
  CAY_AUTH_TOKEN: undefined,
  CI: undefined,
  FORCE_COLOR: undefined,
  NODE_DISABLE_COLORS: undefined,
  NO_COLOR: undefined,
  TMUX: undefined,
};

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command as a process of its own, from the first byte to the exit code. */
export class Cay {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<Ended>;
  readonly #watchers = new Set<() => void>();
  stdout = '';
  stderr = '';

  constructor(file: string, args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
    this.#child = spawn(file, args, { ...options, env: { ...process.env, ...nothingSet, ...options.env } });
    this.#child.stdin.on('error', () => {}); // it may end before it has read everything
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
      this.#changed();
    });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
      this.#changed();
    });
    this.#ended = new Promise((resolve) => {
      this.#child.on('close', (code) => {
        resolve({ code, stdout: this.stdout, stderr: this.stderr });
        this.#changed();
      });
    });
  }

  write(text: string): void {
    this.#child.stdin.write(text);
  }

  end(text = ''): Promise<Ended> {
    this.#child.stdin.end(text);
    return this.#ended;
  }

  get ended(): Promise<Ended> {
    return this.#ended;
  }

  interrupt(signal: NodeJS.Signals = 'SIGINT'): void {
    this.#child.kill(signal);
  }

  stopReading(): void {
    this.#child.stdout.destroy();
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Standard output without what moves a cursor. */
  get text(): string {
    return this.stdout.replace(/\x1b\[[0-9;]*[A-Za-z]/g, '');
  }

  /** Resolves when `text`, from `from` on, has what was expected, and returns where that ends. */
  seen(expected: RegExp, from = 0): Promise<number> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = expected.exec(this.text.slice(from));
        if (found) done(() => resolve(from + found.index + found[0].length));
        else if (this.#child.exitCode !== null) done(() => reject(new Error(`${expected} never came: ${this.text}`)));
      };
      const done = (settle: () => void) => {
        this.#watchers.delete(look);
        settle();
      };
      this.#watchers.add(look);
      look();
    });
  }

  #changed(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }
}

/** Runs `cay` to its end. */
export function cay(args: readonly string[], input = '', env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return new Cay(process.execPath, [main, ...args], { env }).end(input);
}

export function startCay(t: TestContext, args: readonly string[]): Cay {
  const started = new Cay(process.execPath, [main, ...args]);
  atEnd(t, () => started.kill());
  return started;
}

export interface TerminalOptions {
  readonly columns?: number;
  readonly env?: NodeJS.ProcessEnv;
}

/** `cay` on a pseudo-terminal: what is written is typed, and both streams arrive on stdout. */
export function cayOnTerminal(t: TestContext, args: readonly string[], options: TerminalOptions = {}): Cay {
  const { columns = 100, env = { NO_COLOR: '1' } } = options;
  const helper = join(import.meta.dirname, 'terminal.py');
  const command = [helper, String(columns), process.execPath, main, ...args];
  const started = new Cay('python3', command, { env: { TERM: 'xterm', ...env } });
  atEnd(t, () => started.kill());
  return started;
}
