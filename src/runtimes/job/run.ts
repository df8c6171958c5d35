import type { Capture, CapturedOutput } from '../artifacts/types.ts';
import type { JobStatus } from '../types.ts';
import type { Launch } from './launch.ts';
import { followProgress } from './progress.ts';
import { type Report, signalName } from './report.ts';

export interface RunOptions {
  readonly launch: Launch;
  readonly capture: Capture;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onProgress: ((line: string) => void) | null;
}

export interface JobOutcome {
  readonly status: Exclude<JobStatus, 'denied'>;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
  /** What the launcher said, where it was not the job that ended. */
  readonly report: Report | null;
  /** What went wrong with the jail, as it was said. */
  readonly complaint: string;
  readonly output: CapturedOutput;
}

/** From the beginning of a job that has been launched until nothing of it is left and its output is kept. */
export async function runJob({ launch, capture, timeoutMs, signal, onProgress }: RunOptions): Promise<JobOutcome> {
  const beganAt = performance.now();
  const progress = onProgress && followProgress([launch.stdout, launch.stderr], onProgress);
  launch.stdout.pipe(capture.stdout, { end: false });
  launch.stderr.pipe(capture.stderr, { end: false });
  if (!signal.aborted) launch.begin(); // what was cancelled meanwhile does not even begin
  const cut = await endOrCut(launch, timeoutMs, signal);
  const durationMs = Math.round(performance.now() - beganAt);
  const report = await launch.ended();
  await launch.drained(cut === null ? Math.max(0, timeoutMs - durationMs) : 0);
  progress?.stop();
  const output = await capture.finish();
  return { ...endingOf(report, cut), durationMs, report, complaint: launch.complaint, output };
}

/** Null when it ended by itself. */
async function endOrCut(
  launch: Launch,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<'timeout' | 'cancelled' | null> {
  const first = Promise.withResolvers<'timeout' | 'cancelled' | null>();
  const timer = setTimeout(() => first.resolve('timeout'), timeoutMs);
  const cancel = () => first.resolve('cancelled');
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  launch.ended().then(() => first.resolve(null), first.reject);
  try {
    const cut = await first.promise;
    if (cut !== null) await launch.end();
    return cut;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

function endingOf(
  report: Report | null,
  cut: 'timeout' | 'cancelled' | null,
): Pick<JobOutcome, 'status' | 'exitCode' | 'signal'> {
  if (cut) return { status: cut, exitCode: null, signal: 'SIGKILL' };
  if (report?.kind === 'exit') {
    return { status: report.code === 0 ? 'success' : 'failure', exitCode: report.code, signal: null };
  }
  if (report?.kind === 'signal') return { status: 'failure', exitCode: null, signal: signalName(report.signal) };
  return { status: 'failure', exitCode: null, signal: report?.kind === 'limit' ? 'SIGKILL' : null };
}
