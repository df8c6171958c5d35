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

/** Resolves when this process is told to end. Told again, it ends at once. */
export function untilInterrupted(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of endings) {
      process.once(signal, () => {
        for (const again of endings) process.once(again, () => process.exit(exitCodeOfSignal(again)));
        resolve(signal);
      });
    }
  });
}
