import type { CapturedOutput, StreamTotals } from './artifacts/types.ts';
import type { JobOutcome } from './job/run.ts';
import type { ExecuteAnswer, ExecuteRequest, JobEnding } from './types.ts';

/** What of a request decides what an answer holds. */
export type AnswerShape = Pick<ExecuteRequest, 'outputMode' | 'maxResponseLines'>;

export function answerFor(shape: AnswerShape, ending: JobEnding, output: CapturedOutput): ExecuteAnswer {
  const { stdout, stderr, stdoutSummary, stderrSummary, excerpts } = output;
  if (shape.outputMode === 'minimal') {
    return { ...ending, outputLines: stdout.lines + stderr.lines, outputBytes: stdout.bytes + stderr.bytes };
  }
  const isCut = ({ omittedBytes, lines }: StreamTotals) =>
    omittedBytes > 0 || (shape.outputMode === 'summary' && lines > shape.maxResponseLines);
  const truncation = {
    stdoutTruncated: isCut(stdout),
    stderrTruncated: isCut(stderr),
    totalStdoutBytes: stdout.bytes,
    totalStderrBytes: stderr.bytes,
  };
  if (shape.outputMode === 'intent') return { ...ending, excerpts, truncation };
  return { ...ending, stdoutSummary, stderrSummary, excerpts, truncation };
}

/** Of what never ran. */
export function deniedAnswer(
  shape: AnswerShape,
  { status, auditHash, reasons }: { status: 'denied' | 'cancelled'; auditHash: string; reasons: readonly string[] },
): ExecuteAnswer {
  const ending: JobEnding = {
    status,
    exitCode: null,
    signal: null,
    durationMs: 0,
    artifactHandle: null,
    policyDecision: { auditHash: auditHash.slice(0, 16), deniedReasons: reasons },
  };
  return answerFor(shape, ending, nothing);
}

export function endingFor(outcome: JobOutcome, auditHash: string, reasons: readonly string[]): JobEnding {
  return {
    status: outcome.status,
    exitCode: outcome.exitCode,
    signal: outcome.signal,
    durationMs: outcome.durationMs,
    artifactHandle: outcome.output.handle,
    policyDecision: { auditHash: auditHash.slice(0, 16), deniedReasons: reasons },
  };
}

const empty: StreamTotals = { bytes: 0, lines: 0, omittedBytes: 0, sha256: '' };
const nothing: CapturedOutput = {
  stdout: empty,
  stderr: empty,
  handle: null,
  failure: null,
  stdoutSummary: '',
  stderrSummary: '',
  excerpts: [],
};
