import type { Writable } from 'node:stream';

/** The outputs of jobs: captured while they run, kept for a while, searched. Open with `createArtifacts`. */
export interface Artifacts {
  /** Takes the output of one job. */
  begin(options: CaptureOptions): Capture;
  /** Null for a handle that is unknown, or whose time is up. */
  open(handle: string): Promise<Artifact | null>;
  /** Takes away what is past its time, and what a server that died left behind. It also happens by itself. */
  sweep(): Promise<void>;
  /** Ends the sweeping. Captures must have been finished or discarded before. */
  close(): Promise<void>;
}

export type StreamName = 'stdout' | 'stderr';

export interface CaptureOptions {
  readonly repoId: string;
  /** False: nothing is written to the disk. What the answer needs is worked out all the same. */
  readonly persist: boolean;
  /** Of which both summaries are made; 0 for none. */
  readonly summaryLines: number;
  /** What the excerpts are to hold. None: there are none. */
  readonly search: Search | null;
}

export interface Search {
  readonly terms: readonly string[];
  readonly contextLines: number;
  readonly maxExcerpts: number;
}

/**
 * Where a job's output goes. Its streams push back when the disk is slower than the job, and never fail: what could not
 * be kept is told by `finish`.
 */
export interface Capture {
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Ends both streams; then the handle, if there is one, can be opened. */
  finish(): Promise<CapturedOutput>;
  /** Nothing of it stays. */
  discard(): Promise<void>;
}

export interface CapturedOutput {
  readonly stdout: StreamTotals;
  readonly stderr: StreamTotals;
  /** Null when it was not to be kept, or could not be. */
  readonly handle: string | null;
  /** Why it could not be kept (a full disk, say). */
  readonly failure: Error | null;
  /** The first and the last half of `summaryLines`, with what is missing between. Empty when none was asked for. */
  readonly stdoutSummary: string;
  /** The last `summaryLines`. */
  readonly stderrSummary: string;
  /** Of all that was printed, also of what was too much to keep: of stdout, then of stderr. */
  readonly excerpts: readonly Excerpt[];
}

/** All that was printed, whether it was kept or not. */
export interface StreamTotals {
  readonly bytes: number;
  /** A last line without its newline counts. */
  readonly lines: number;
  /** Bytes between its head and its tail that were too many to keep. */
  readonly omittedBytes: number;
  /** Of the bytes that were kept; of none when nothing was to be kept. */
  readonly sha256: string;
}

/** Lines around those that match. Lines count from 1. */
export interface Excerpt {
  readonly lineStart: number;
  readonly lineEnd: number;
  readonly content: string;
  readonly source: StreamName;
}

/** An output that was kept. Its memory use does not depend on its size. */
export interface Artifact {
  readonly handle: string;
  readonly repoId: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly stdout: StreamTotals;
  readonly stderr: StreamTotals;
  /** At most `maxExcerpts` of all streams together, in their order. */
  excerpts(search: Search, streams: readonly StreamName[], signal?: AbortSignal): Promise<Excerpt[]>;
  /** The bytes, with the line `... (N bytes omitted) ...` where some are missing. Rejects with `artifact_damaged`. */
  read(stream: StreamName): AsyncIterable<Uint8Array>;
}
