import { exitCodeOfSignal } from './exit-code.ts';

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Does `work` with a signal that is aborted when this process is told to end; returns also what told it, or null. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<[T, NodeJS.Signals | null]> {
  const abort = new AbortController();
  let by: NodeJS.Signals | null = null;
  // They stay when the work is done: a Ctrl-C comes twice, from the terminal and from the launcher that passes it on.
  for (const signal of endings) {
    process.on(signal, () => {
      by ??= signal;
      abort.abort();
    });
  }
  return [await work(abort.signal), by];
}

/** A Ctrl-C comes more than once: from the terminal, and from each launcher that passes it on. */
const sameCtrlCMs = 500;

/** Resolves when this process is told to end. Told again, it ends at once. */
export function untilInterrupted(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let toldAt: number | null = null;
    for (const signal of endings) {
      process.on(signal, () => {
        toldAt ??= performance.now();
        if (performance.now() - toldAt > sameCtrlCMs) process.exit(exitCodeOfSignal(signal));
        resolve(signal);
      });
    }
  });
}
