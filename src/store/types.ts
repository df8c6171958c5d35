import type { ArtifactStore } from './artifacts.ts';
import type { AuditStore } from './audit.ts';

export type { JsonObject, JsonValue } from './audit.ts';

import type { CallStore } from './calls.ts';

/** Everything durable goes through a Store. What a promise of one of these has answered is on disk. */
export interface Store {
  readonly executions: ExecutionStore;
  readonly output: OutputStore;
  readonly heaps: HeapStore;
  readonly tags: TagStore;
  readonly sessions: SessionStore;
  readonly calls: CallStore;
  readonly audit: AuditStore;
  readonly artifacts: ArtifactStore;
  /** Sizes and counts, for health, metrics and the doctor. */
  statistics(): Promise<StoreStatistics>;
  /** Writes what is under way, then lets go of everything. */
  close(): Promise<void>;
}

export type Status = 'running' | 'completed' | 'failed' | 'timed_out' | 'cancelled';

/** What an execution runs. It may be large, and is read only to run it. */
export interface Source {
  readonly code: string;
  /** JSON text of what the code sees as `input`; null for none. */
  readonly input: string | null;
}

/** An execution as it was submitted. */
export interface Submission extends Source {
  readonly id: string;
  readonly kind: 'run_js' | 'code_execution';
  /** As the caller gave it: a key, a prefix, an execution's id, `latest`; null for none. */
  readonly heap: string | null;
  readonly session: string | null;
  readonly tags: Tags | null;
  readonly heapMb: number;
  readonly timeoutMs: number;
  /** Milliseconds since the epoch. */
  readonly submittedAt: number;
}

export type Tags = Readonly<Record<string, string>>;

export interface Execution extends Omit<Submission, keyof Source> {
  /** In the order of submission, from 1, without ties. */
  readonly sequence: number;
  readonly status: Status;
  /** Whether it has left the queue. At a restart one that has not runs, one that has failed. */
  readonly started: boolean;
  readonly result: string | null;
  readonly error: string | null;
  readonly inputHeap: string | null;
  readonly heapRestored: boolean | null;
  readonly outputHeap: string | null;
  readonly heapError: string | null;
  readonly completedAt: number | null;
  readonly durationMs: number | null;
}

/** An execution without what may be large, for lists and look-ups. */
export type ExecutionSummary = Omit<Execution, 'tags' | 'result' | 'error' | 'heapError'>;

/** How an execution ended. */
export interface Ending {
  readonly status: Exclude<Status, 'running'>;
  readonly result: string | null;
  readonly error: string | null;
  /** The key of the heap that it was restored from. */
  readonly inputHeap: string | null;
  readonly heapRestored: boolean | null;
  /** The raw new heap, to be stored with it; null for none. */
  readonly heap: NewHeap | null;
  readonly heapError: string | null;
  readonly completedAt: number;
  readonly durationMs: number;
  /** False: it need not survive the end of the machine, only that of the process; nobody comes back for it. */
  readonly synced?: boolean;
}

export interface NewHeap {
  /** The store takes its memory over: after `finish` has been called the array may be empty. */
  readonly raw: Uint8Array;
  readonly fingerprint: string;
  readonly v8: string;
}

export interface ExecutionStore {
  /** `soon`: it is written within milliseconds, and not synced before `sync` or `finish`. Nobody may be told of it yet. */
  add(submission: Submission, started: boolean, when?: 'synced' | 'soon'): Promise<Execution>;
  /** It leaves the queue. Survives the end of the process, if not of the machine. */
  start(id: string, when?: 'now' | 'soon'): Promise<void>;
  /** What was added soon now survives the end of the machine too. */
  sync(id: string): Promise<void>;
  /**
   * The one terminal status, with its heap, that heap's tags and the session's log entry, all or nothing. The ended
   * execution; or null when it had ended before, and nothing changed. A heap that cannot be stored (a full disk) rejects.
   */
  finish(id: string, ending: Ending): Promise<Execution | null>;
  get(id: string): Promise<Execution | null>;
  summary(id: string): Promise<ExecutionSummary | null>;
  source(id: string): Promise<Source | null>;
  /** Newest first. `before`: only sequences below it. */
  list(query: {
    readonly limit: number;
    readonly status?: Status;
    readonly before?: number;
  }): Promise<ExecutionSummary[]>;
  /** Those without a terminal status, oldest first. */
  unfinished(): Promise<ExecutionSummary[]>;
}

/** A piece of an execution's output. Line numbers count from 1. */
export interface OutputChunk {
  readonly startByte: number;
  /** The line that its first byte is part of. */
  readonly startLine: number;
  readonly bytes: Uint8Array;
}

export interface OutputStore {
  /** Chunks follow each other without gaps, each of at most 64 KiB. Need not be synced: `finish` is, after them. */
  append(id: string, chunks: readonly OutputChunk[]): Promise<void>;
  /** The chunk that holds byte `byte`; null past the end. */
  atByte(id: string, byte: number): Promise<OutputChunk | null>;
  /** The last chunk whose `startLine` is below `line`, the one in which that line begins, or may begin after. */
  beforeLine(id: string, line: number): Promise<OutputChunk | null>;
  last(id: string): Promise<OutputChunk | null>;
  /** How much there is, without reading it. */
  totals(id: string): Promise<OutputTotals>;
}

export interface OutputTotals {
  readonly bytes: number;
  /** A last line without its newline counts. */
  readonly lines: number;
}

export interface HeapInfo {
  readonly key: string;
  /** Of the raw heap. */
  readonly bytes: number;
  readonly storedBytes: number;
  readonly fingerprint: string;
  readonly v8: string;
  readonly createdAt: number;
}

export interface FoundHeap {
  readonly info: HeapInfo;
  readonly raw: Uint8Array;
  /** To be called when `raw` is read no more: its memory is used again. Until then it stays. */
  done(): void;
}

export interface HeapStore {
  /** The raw heap, whose hash has been checked. Rejects with `heap_damaged` when its bytes are not what they were. */
  get(key: string): Promise<FoundHeap | null>;
  info(key: string): Promise<HeapInfo | null>;
  /** Keys that begin with `prefix`, at most `limit`. */
  withPrefix(prefix: string, limit: number): Promise<string[]>;
  /** Takes away what the rules allow; how many. Never a tagged heap, one in `inUse`, or what a kept heap needs. */
  retain(rules: RetentionRules): Promise<{ readonly heaps: number; readonly bytes: number }>;
}

export interface RetentionRules {
  readonly olderThan?: number;
  readonly maxTotalBytes?: number;
  readonly inUse: ReadonlySet<string>;
}

export interface TaggedHeap {
  readonly heap: string;
  readonly tags: Tags;
}

export interface TagStore {
  get(heap: string): Promise<Tags>;
  /** Replaces all; false when there is no such heap. */
  set(heap: string, tags: Tags): Promise<boolean>;
  /** Removes these keys, or all; false when there is no such heap. */
  remove(heap: string, keys: readonly string[] | null): Promise<boolean>;
  /** Tagged heaps that have all of `tags`, newest first. */
  query(tags: Tags): Promise<TaggedHeap[]>;
}

export interface SessionEntry {
  readonly index: number;
  readonly inputHeap: string | null;
  readonly outputHeap: string | null;
  readonly code: string;
  readonly timestamp: number;
}

export interface SessionQuery {
  readonly offset?: number;
  readonly limit: number;
  /** False: it is not wanted, not read, and empty. */
  readonly code?: boolean;
}

export interface SessionStore {
  names(): Promise<string[]>;
  /** In order; without `offset` the newest `limit`. */
  entries(session: string, query: SessionQuery): Promise<SessionEntry[]>;
  /** The newest heap that an execution of the session left. */
  latestHeap(session: string): Promise<string | null>;
}

export interface StoreStatistics {
  readonly executions: number;
  readonly heaps: number;
  readonly heapBytes: number;
  readonly outputBytes: number;
}
