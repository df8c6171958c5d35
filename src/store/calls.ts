/** What is kept of a text that may be large: its beginning, and how many bytes it had. */
export interface KeptText {
  readonly text: string;
  readonly bytes: number;
}

/** `running`: no answer has come yet. `refused`: it never left. */
export type CallOutcome = 'running' | 'ok' | 'error' | 'cancelled' | 'refused';

/** So many calls of one execution are kept. */
export const maxCallRecords = 100_000;

/** A tool call that the code of an execution has made. */
export interface CallRecord {
  /** In the order in which they were made, from 0. */
  readonly index: number;
  readonly server: string;
  readonly tool: string;
  /** JSON. */
  readonly arguments: KeptText;
  readonly outcome: CallOutcome;
  /** Why not, for all but `ok` and `running`. */
  readonly code: string | null;
  readonly message: string | null;
  /** JSON of what the code got. */
  readonly result: KeptText | null;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number | null;
}

export interface CallStore {
  /** Adds them, or puts them in the place of those with the same index. Need not be synced: they survive the process. */
  put(execution: string, records: readonly CallRecord[]): Promise<void>;
  /** In order, those whose index is above `after`. */
  list(execution: string, query: { readonly limit: number; readonly after?: number }): Promise<readonly CallRecord[]>;
}
