import type { Artifacts, Excerpt, StreamName } from './artifacts/types.ts';
import type { Audit } from './audit/types.ts';
import type { RuntimeName } from './languages/names.ts';

/** A job that is asked for; the arguments have been checked against the document's ranges. */
export interface ExecuteRequest {
  readonly repoId: string;
  readonly runtime: RuntimeName;
  readonly executable: string | null;
  /** The arguments of the code, or without code those of the executable. */
  readonly args: readonly string[];
  readonly code: string | null;
  readonly relativeCwd: string;
  /** Null: the policy's default. */
  readonly timeoutMs: number | null;
  readonly queryTerms: readonly string[];
  readonly maxResponseLines: number;
  readonly persistOutput: boolean;
  readonly outputMode: OutputMode;
}

export type OutputMode = 'minimal' | 'summary' | 'intent';

export interface ExecuteOptions {
  /** Its abort cancels the job. */
  readonly signal: AbortSignal;
  /** Called with the newest line of output, a few times a second at most. */
  readonly onProgress: ((line: string) => void) | null;
  readonly onStart?: (jobId: string) => void;
}

export type JobStatus = 'success' | 'failure' | 'timeout' | 'cancelled' | 'denied';

export interface JobEnding {
  readonly status: JobStatus;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
  readonly artifactHandle: string | null;
  readonly policyDecision: {
    /** The first 16 digits of the hash of the record that ends the job or refuses it. */
    readonly auditHash: string;
    readonly deniedReasons: readonly string[];
  };
}

export interface Truncation {
  readonly stdoutTruncated: boolean;
  readonly stderrTruncated: boolean;
  readonly totalStdoutBytes: number;
  readonly totalStderrBytes: number;
}

interface MinimalOutput {
  readonly outputLines: number;
  readonly outputBytes: number;
}

interface IntentOutput {
  readonly excerpts: readonly Excerpt[];
  readonly truncation: Truncation;
}

interface SummaryOutput extends IntentOutput {
  readonly stdoutSummary: string;
  readonly stderrSummary: string;
}

export type ExecuteAnswer = JobEnding & (MinimalOutput | IntentOutput | SummaryOutput);

export interface QueryRequest {
  readonly artifactHandle: string;
  readonly queryTerms: readonly string[];
  readonly maxExcerpts: number;
  readonly contextLines: number;
  readonly stream: StreamName | 'both';
}

export interface QueryAnswer {
  readonly artifactHandle: string;
  readonly excerpts: readonly Excerpt[];
  readonly totalLines: number;
  readonly totalBytes: number;
  readonly searchedStreams: readonly StreamName[];
}

/** A job that waits for its slot or runs. */
export interface JobView {
  readonly id: string;
  readonly repoId: string;
  readonly runtime: RuntimeName;
  readonly state: 'waiting' | 'running';
  /** Milliseconds since the epoch. */
  readonly requestedAt: number;
  readonly startedAt: number | null;
  readonly timeoutMs: number;
}

/** One runtime, and what this machine has of it. */
export interface LanguageView {
  readonly runtime: RuntimeName;
  /** Whether `allowedRuntimes` has it. */
  readonly allowed: boolean;
  /** The names that it goes by, in the order in which they are looked for. */
  readonly executables: readonly string[];
  /** What would run; null when it is not installed. */
  readonly executable: string | null;
  readonly version: string | null;
  /** What to do about it when it is missing. */
  readonly install: string;
}

/** Everything about jobs: the one door of this folder. */
export interface Runtimes {
  /**
   * Null when `runtime.enabled` is true; else the refusal of `given`, whatever it is: the gate comes before the arguments
   * are looked at. It is audited.
   */
  gate(given: unknown): Promise<ExecuteAnswer | null>;
  /** A refusal is an answer (`denied`), not an error. */
  execute(request: ExecuteRequest, options: ExecuteOptions): Promise<ExecuteAnswer>;
  /** Rejects with `not_found` for a handle that is unknown, or whose time is up. */
  query(request: QueryRequest): Promise<QueryAnswer>;
  jobs(): readonly JobView[];
  /** Resolves when its processes are gone; false when there is no such job. */
  cancel(jobId: string): Promise<boolean>;
  /** What this machine has, with versions. */
  languages(): Promise<readonly LanguageView[]>;
  readonly artifacts: Artifacts;
  readonly audit: Audit;
  /** Ends every job, and waits for the records of their ends. */
  close(): Promise<void>;
}
