import type { Capture, CapturedOutput } from '../artifacts/types.ts';
import type { JobStatus } from '../types.ts';
import type { Launch } from './launch.ts';
import { followProgress } from './progress.ts';
import { type Report, signalName } from './report.ts';

export interface RunOptions {
  readonly launch: Launch;
  /** Another one with the same order, for when this one has gone before it began; null when there is no need for that. */
  readonly launchAgain: (() => Launch) | null;
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
export async function runJob(options: RunOptions): Promise<JobOutcome> {
  const { launch, launchAgain, capture, timeoutMs } = options;
  const beganAt = performance.now();
  const leftMs = () => Math.max(0, Math.ceil(timeoutMs - (performance.now() - beganAt)));
  let ending = await follow(launch, options, leftMs);
  const isLost = ending.cut === null && ending.report === null && !launch.mayHaveBegun;
  if (isLost && launchAgain) ending = await follow(launchAgain(), options, leftMs);
  const { cut, report, complaint, endedAt } = ending;
  const output = await capture.finish();
  return { ...endingOf(report, cut), durationMs: Math.round(endedAt - beganAt), report, complaint, output };
}

interface Ending {
  readonly cut: 'timeout' | 'cancelled' | null;
  readonly report: Report | null;
  readonly complaint: string;
  readonly endedAt: number;
}

/** Until nothing of it is left. */
async function follow(
  launch: Launch,
  { capture, signal, onProgress }: RunOptions,
  leftMs: () => number,
): Promise<Ending> {
  const progress = onProgress && followProgress([launch.stdout, launch.stderr], onProgress);
  try {
    launch.stdout.pipe(capture.stdout, { end: false });
    launch.stderr.pipe(capture.stderr, { end: false });
    if (!signal.aborted) launch.begin(); // what was cancelled meanwhile does not even begin
    const cut = await endOrCut(launch, leftMs(), signal);
    const endedAt = performance.now();
    const report = await launch.ended();
    await launch.drained(cut === null ? leftMs() : 0);
    return { cut, report, complaint: launch.complaint, endedAt };
  } catch (error) {
    await launch.discard();
    throw error;
  } finally {
    progress?.stop();
  }
}

/** Null when it ended by itself. */
async function endOrCut(launch: Launch, timeoutMs: number, signal: AbortSignal): Promise<Ending['cut']> {
  const first = Promise.withResolvers<Ending['cut']>();
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

function endingOf(report: Report | null, cut: Ending['cut']): Pick<JobOutcome, 'status' | 'exitCode' | 'signal'> {
  if (cut) return { status: cut, exitCode: null, signal: 'SIGKILL' };
  if (report?.kind === 'exit') {
    return { status: report.code === 0 ? 'success' : 'failure', exitCode: report.code, signal: null };
  }
  if (report?.kind === 'signal') return { status: 'failure', exitCode: null, signal: signalName(report.signal) };
  return { status: 'failure', exitCode: null, signal: report?.kind === 'limit' ? 'SIGKILL' : null };
}
