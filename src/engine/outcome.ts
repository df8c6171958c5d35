/** What became of a run. Exactly one of these, once. */
export type Outcome = Completed | Failed | TimedOut | Cancelled | OutOfMemory | ProcessDied;

export interface Completed {
  readonly kind: 'completed';
  readonly value: RunValue;
  /** The new heap, or null: none was asked for, or it could not be made, and then `heapError` says why. */
  readonly heap: Buffer | null;
  readonly heapError: string | null;
  readonly times: RunTimes;
}

/**
 * `json`: the value survives JSON, `text` is that JSON. `text`: it does not, `text` is what console.log prints for it,
 * and `why` names the culprit. `undefined`: there is none.
 */
export interface RunValue {
  readonly kind: 'undefined' | 'json' | 'text';
  readonly text: string;
  readonly why: string;
}

/** Milliseconds: `restore` to have the heap back, `run` for the code, `snapshot` until the new heap had arrived. */
export interface RunTimes {
  readonly restore: number;
  readonly run: number;
  readonly snapshot: number;
}

export interface Failed {
  readonly kind: 'failed';
  readonly error: RunError;
}

export interface RunError {
  /** `syntax`: the source did not compile, and nothing of it ran. */
  readonly phase: 'syntax' | 'runtime';
  readonly name: string;
  readonly message: string;
  /** `Name: message`, and the frames with the lines that were submitted. */
  readonly stack: string;
  /** What the error has as `code`, '' for nothing: as the code in the isolate would have it. */
  readonly code: string;
}

export interface TimedOut {
  readonly kind: 'timed_out';
}

export interface Cancelled {
  readonly kind: 'cancelled';
}

export interface OutOfMemory {
  readonly kind: 'out_of_memory';
}

export interface ProcessDied {
  readonly kind: 'process_died';
  readonly signal: string | null;
  readonly message: string;
}
