import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type AuditHead,
  type AuditReads,
  type AuditReceipt,
  auditHash,
  noHash,
  type StoredAuditRecord,
} from '../../store/audit.ts';
import { readRecord } from './entry.ts';
import type { AuditBroken, AuditVerdict } from './types.ts';

const perTurn = 100;

/** Goes over the chain from its first record; of what has been appended since it began it says nothing. */
export async function verifyAudit(reads: AuditReads): Promise<AuditVerdict> {
  const head = await reads.head();
  let before: AuditReceipt = { sequence: 0, hash: noHash };
  for await (const record of recordsAfter(reads, Number.MIN_SAFE_INTEGER)) {
    if (record.sequence > head.records) break;
    const broken = await faultOf(reads, head, before, record);
    if (broken) return broken;
    before = record;
  }
  if (before.sequence < head.records) return missing(before.sequence + 1);
  if (before.hash !== head.hash) return changed(before.sequence);
  if (head.last > head.records) return added(head.records + 1);
  return { ok: true, records: head.records, head: head.hash };
}

async function faultOf(
  reads: AuditReads,
  head: AuditHead,
  before: AuditReceipt,
  { sequence, text, hash }: StoredAuditRecord,
): Promise<AuditBroken | null> {
  const expected = before.sequence + 1;
  if (sequence < expected) return added(sequence);
  if (sequence > expected) return missing(expected);
  const record = readRecord(text);
  if (!record || auditHash(text) !== hash) return changed(sequence);
  if (record.sequence !== sequence) {
    return (await isElsewhere(reads, sequence)) ? reordered(sequence) : missing(sequence);
  }
  if (record.previous === before.hash) return null;
  // One of the two was written anew, with its own new hash. What follows still vouches for this one, or does not.
  const vouched = (await hashAccordingToNext(reads, head, sequence)) === hash;
  return changed(vouched && sequence > 1 ? before.sequence : sequence);
}

/** Whether a record that belongs at `sequence` stands further back. */
async function isElsewhere(reads: AuditReads, sequence: number): Promise<boolean> {
  for await (const { text } of recordsAfter(reads, sequence)) {
    if (readRecord(text)?.sequence === sequence) return true;
  }
  return false;
}

async function hashAccordingToNext(reads: AuditReads, head: AuditHead, sequence: number): Promise<string | undefined> {
  if (sequence === head.records) return head.hash;
  const [next] = await reads.after(sequence, 1);
  return next && readRecord(next.text)?.previous;
}

async function* recordsAfter(reads: AuditReads, sequence: number): AsyncGenerator<StoredAuditRecord> {
  for (let after = sequence; ; await nextTurn()) {
    const records = await reads.after(after, perTurn);
    yield* records;
    const last = records.at(-1);
    if (!last) return;
    after = last.sequence;
  }
}

const changed = (sequence: number) => broken(sequence, 'changed', 'was changed after it was written');
const missing = (sequence: number) => broken(sequence, 'missing', 'is missing');
const reordered = (sequence: number) => broken(sequence, 'reordered', 'is not in its place');
const added = (sequence: number) => broken(sequence, 'added', 'is there, but the chain does not count it');

function broken(sequence: number, fault: AuditBroken['fault'], words: string): AuditBroken {
  return { ok: false, sequence, fault, message: `Record ${sequence} of the audit log ${words}` };
}
