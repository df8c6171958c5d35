import { z } from 'zod';
import { CayError } from '../../errors.ts';
import type { ChainedRecord, StoredAuditRecord } from '../../store/audit.ts';
import type { AuditEntry } from './types.ts';

const chained = z.object({
  at: z.string(),
  details: z.record(z.string(), z.json()),
  job: z.string(),
  kind: z.enum(['start', 'end', 'refused']),
  previous: z.string(),
  sequence: z.int(),
});

/** What a record says of itself; null when it is no record. */
export function readRecord(text: string): ChainedRecord | null {
  try {
    return chained.parse(JSON.parse(text));
  } catch {
    return null; // somebody wrote over it
  }
}

export function entryOf({ sequence, hash, text }: StoredAuditRecord): AuditEntry {
  const record = readRecord(text);
  if (!record) {
    const message = `Record ${sequence} of the audit log cannot be read, somebody has changed it: run \`cay audit verify\``;
    throw new CayError('audit_damaged', message);
  }
  const { at, details, job, kind, previous } = record;
  return { sequence, hash, previous, at, kind, job, details };
}
