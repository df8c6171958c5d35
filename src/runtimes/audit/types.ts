import type { AuditKind, AuditReceipt, JsonObject } from '../../store/audit.ts';

/** What was run and what was refused, as a chain: each record has the hash of the one before. */
export interface Audit {
  /** On disk, synced, when it resolves; in the order of the calls. */
  append(record: AuditRecord): Promise<AuditReceipt>;
  /** Newest first. `before`: only sequences below it. */
  list(query: { readonly limit: number; readonly before?: number }): Promise<AuditEntry[]>;
  /** Goes over the whole chain. */
  verify(): Promise<AuditVerdict>;
  /** Jobs that started and have no end, oldest first. `details`: of the start; empty when they cannot be read any more. */
  openJobs(): Promise<Pick<AuditRecord, 'job' | 'details'>[]>;
}

export interface AuditRecord {
  readonly kind: AuditKind;
  readonly job: string;
  /** What there is to say: request, decision, repository, time, duration, exit, bytes. */
  readonly details: JsonObject;
}

export interface AuditEntry extends AuditRecord, AuditReceipt {
  /** The hash of the record before; zeros for the first. */
  readonly previous: string;
  /** ISO-8601, UTC, with milliseconds. */
  readonly at: string;
}

export type AuditVerdict = AuditIntact | AuditBroken;

export interface AuditIntact {
  readonly ok: true;
  readonly records: number;
  /** The hash of the last one. Who keeps it elsewhere can tell whether all was written anew. */
  readonly head: string;
}

export interface AuditBroken {
  readonly ok: false;
  /** The first record that is not as it was. */
  readonly sequence: number;
  /** `added`: it is there, but nobody appended it. */
  readonly fault: 'changed' | 'missing' | 'reordered' | 'added';
  readonly message: string;
}
