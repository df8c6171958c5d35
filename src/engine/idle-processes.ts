import { readFileSync } from 'node:fs';
import type { IsolateProcess } from './process/isolate-process.ts';

const lookMs = 3000;
const pageBytes = 4096;
/** A process that is warm has 10 MB of its own, and 12 after small runs. */
const mostBytes = 15 * 2 ** 20;

/** Ends those that have been idle for a while with more memory than a fresh one has: V8 keeps the pages of large runs. */
export class IdleProcesses {
  readonly #runsSeen = new WeakMap<IsolateProcess, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(idle: readonly IsolateProcess[]) {
    this.#timer = setInterval(() => this.#look(idle), lookMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(idle: readonly IsolateProcess[]): void {
    for (const process of [...idle]) {
      const isQuiet = process.runs > 0 && this.#runsSeen.get(process) === process.runs;
      this.#runsSeen.set(process, process.runs);
      if (isQuiet && ownBytes(process.pid) > mostBytes) process.kill();
    }
  }
}

/** What the process shares with nobody; 0 where the system does not tell. */
function ownBytes(pid: number | undefined): number {
  try {
    const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').map(Number);
    return (resident - shared) * pageBytes;
  } catch {
    return 0;
  }
}
