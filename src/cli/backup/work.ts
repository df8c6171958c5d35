import { exitCodeOfSignal } from '../exit-code.ts';
import { interruptible } from '../interruption.ts';
import { Progress } from '../progress.ts';

/** Does something that may take long and can be told to end; the exit code. */
export async function whileShown(what: string, work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const progress = new Progress(what);
  try {
    const [done, interruptedBy] = await interruptible(async (signal) => {
      try {
        return { code: await work(signal) };
      } catch (error) {
        if (signal.aborted) return { code: null };
        throw error;
      }
    });
    return done.code ?? exitCodeOfSignal(interruptedBy ?? 'SIGINT');
  } finally {
    progress.end();
  }
}
