import { createHash } from 'node:crypto';

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/** A `start` opens its job, the `end` of the same job closes it; what was `refused` never started. */
export type AuditKind = 'start' | 'end' | 'refused';

export interface NewAuditRecord {
  readonly kind: AuditKind;
  readonly job: string;
  readonly details: JsonObject;
  /** ISO-8601, UTC, with milliseconds. */
  readonly at: string;
}

/** What is hashed: the record, its place and the hash of the one before. */
export interface ChainedRecord extends NewAuditRecord {
  readonly sequence: number;
  readonly previous: string;
}

export interface AuditReceipt {
  /** From 1, without gaps. */
  readonly sequence: number;
  /** SHA-256 of the record's text, 64 lowercase hex digits. */
  readonly hash: string;
}

/** As it is on disk, which may not be as it was. */
export interface StoredAuditRecord extends AuditReceipt {
  readonly text: string;
}

export interface OpenJob {
  readonly job: string;
  /** Of its `start` record; null when somebody took it away. */
  readonly text: string | null;
}

/** Kept apart from the records, so that one knows when the last of them are gone. */
export interface AuditHead {
  readonly records: number;
  readonly hash: string;
  /** The highest sequence that there is. */
  readonly last: number;
}

export interface AuditStore extends AuditReads {
  /** In the order of the calls. Calls that wait together share one sync of the disk. */
  append(record: NewAuditRecord): Promise<AuditReceipt>;
}

/** What it takes to list and to check: there may be another process that appends. */
export interface AuditReads {
  head(): Promise<AuditHead>;
  /** In order, those with a higher sequence. */
  after(sequence: number, limit: number): Promise<StoredAuditRecord[]>;
  /** Newest first. `before`: only sequences below it. */
  newest(query: { readonly limit: number; readonly before?: number }): Promise<StoredAuditRecord[]>;
  /** The jobs that started and have no `end`, oldest first. */
  open(): Promise<OpenJob[]>;
}

/** What the first record has as the hash of the one before. */
export const noHash = '0'.repeat(64);

export function auditHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** JSON with the names of each object in order: the same record is the same text. */
export function auditText(record: ChainedRecord): string {
  return JSON.stringify(record, (_name, value: unknown) => (isObject(value) ? inOrder(value) : value));
}

function inOrder(object: object): object {
  // Compared by code units, so that the order is the same in every locale.
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
