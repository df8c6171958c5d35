import type { RunRequest } from '../engine/engine.ts';
import type { Outcome } from '../engine/outcome.ts';
import type { Ending, Execution, ExecutionSummary, Status, Submission, Tags } from '../store/types.ts';
import type { CallLog } from './call-log.ts';

/** The life of executions: taken, queued, run, watched, cancelled, listed. Open with `createExecutions`. */
export interface Executions {
  /**
   * On disk when it resolves. Rejects with a CayError: `invalid_argument`, `over_limit` (names the ceiling),
   * `too_large` (the code), `queue_full`, `disk_full`, `closing`.
   */
  submit(request: SubmitRequest): Promise<Execution>;
  /** Runs it and forgets it: nothing of it is stored. It is cancelled when the time is up or the caller has gone. */
  runOnce(request: SubmitRequest, options: OnceOptions): Promise<OnceAnswer>;
  /** Stores it and answers as soon as it has ended or the time is up; then it goes on. Rejects as `submit` does. */
  submitAndWait(request: SubmitRequest, options: OnceOptions): Promise<WaitedAnswer>;
  /** Stores it and answers with its end. It is cancelled when the caller has gone. Rejects as `submit` does. */
  complete(request: SubmitRequest, signal: AbortSignal): Promise<Execution>;
  get(id: string): Promise<ExecutionView | null>;
  /** Answers when the execution has ended or the time is up. */
  wait(id: string, milliseconds: number, signal?: AbortSignal): Promise<ExecutionView | null>;
  /** A piece of the output. Rejects with `invalid_argument`. */
  page(id: string, query: PageQuery): Promise<Page | null>;
  /** The output from `byteOffset` on as it comes, and what becomes of the execution; the terminal status is last. */
  follow(id: string, byteOffset: number, signal: AbortSignal): AsyncIterable<FollowEvent>;
  /** After `ok: true` its process is gone, or it never starts. */
  cancel(id: string): Promise<CancelAnswer>;
  /** Newest first. Without a limit: all that run, and the newest 1,000 others. */
  list(query?: ListQuery): Promise<ExecutionSummary[]>;
  /** Each execution that ends from now on, once its ending is on disk. Returns what stops it. */
  onEnd(listener: (status: Status) => void): () => void;
  /** `unstored` have ended, and wait for room on the disk. */
  readonly counts: { readonly running: number; readonly queued: number; readonly unstored: number };
  /** Takes nothing new, gives the running ones `drainMs`, then ends them: they have failed at the next start. */
  close(): Promise<void>;
}

export interface SubmitRequest {
  readonly code: string;
  /** A key, a unique prefix of one, an execution's id, or `latest`. */
  readonly heap?: string;
  readonly session?: string | null;
  readonly tags?: Tags;
  readonly heapMb?: number;
  readonly timeoutMs?: number;
  /** JSON, seen by the code as the global `input`. */
  readonly input?: unknown;
  /** `run_js`. The other kind has its own places, leaves no heap, and does not outlive the server. */
  readonly kind?: Submission['kind'];
  /** What it may ask of the server; what the server gives to every execution when it is left out. */
  readonly host?: HostOf;
}

/** Makes what an execution may ask of the server, when it runs. */
export type HostOf = (execution: HostedExecution) => RunHost;

export interface HostedExecution {
  readonly id: string;
  /** Where its tool calls are recorded. */
  readonly calls: Pick<CallLog, 'begin'>;
}

/** A run's functions and what else is not as usual. */
export interface RunHost
  extends Pick<RunRequest, 'functions' | 'omitGlobals' | 'language' | 'maxCallBytes' | 'maxResultBytes' | 'onConsole'> {
  /** How it ended, where that is not what `run_js` says. */
  readonly conclude?: (outcome: Outcome) => Pick<Ending, 'status' | 'result' | 'error'>;
}

export interface OnceOptions {
  /** From now to its end, the queue included. */
  readonly milliseconds: number;
  readonly signal: AbortSignal;
  /** Called with the newest console line. */
  readonly onLine: ((line: string) => void) | null;
}

export interface WaitedAnswer {
  readonly execution: ExecutionView;
  /** The first. */
  readonly page: Page;
}

export interface OnceAnswer extends Pick<Ending, 'status' | 'result' | 'error'> {
  /** All of it. */
  readonly output: string;
  /** Whether it was cancelled because the time was up. */
  readonly late: boolean;
}

export interface ExecutionView extends Execution {
  /** 1 is next; null when it does not wait. */
  readonly queuePosition: number | null;
}

/** With `byteOffset` in byte mode, else in line mode; what the mode ignores is not checked. */
export interface PageQuery {
  readonly lineOffset?: number;
  readonly lineLimit?: number;
  readonly byteOffset?: number;
  readonly byteLimit?: number;
}

/** Lines count from 1, bytes from 0; `endByte` is exclusive. */
export interface Page {
  readonly data: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly nextLineOffset: number;
  readonly totalLines: number;
  readonly startByte: number;
  readonly endByte: number;
  readonly nextByteOffset: number;
  readonly totalBytes: number;
  readonly hasMore: boolean;
  /** When the page was read. */
  readonly status: Status;
}

export type FollowEvent =
  | { readonly kind: 'output'; readonly text: string; readonly startByte: number; readonly endByte: number }
  | { readonly kind: 'status'; readonly execution: ExecutionView };

export type CancelAnswer =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: 'not_found' | 'not_running'; readonly error: string };

export interface ListQuery {
  readonly limit?: number;
  readonly status?: Status;
  /** Only those whose `sequence` is below it. */
  readonly before?: number;
}
