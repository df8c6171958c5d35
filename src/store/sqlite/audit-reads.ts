import type { DatabaseSync } from 'node:sqlite';
import { type AuditHead, noHash, type OpenJob, type StoredAuditRecord } from '../audit.ts';
import { integer, orNull, type Row, text } from './rows.ts';

export function auditReads(database: DatabaseSync) {
  // One statement, so that both are of one moment while another thread appends.
  const head = database.prepare(
    'SELECT (SELECT max(sequence) FROM audit) AS last, records, hash FROM (SELECT 1) LEFT JOIN audit_head',
  );
  const after = database.prepare('SELECT sequence, text, hash FROM audit WHERE sequence > ? ORDER BY sequence LIMIT ?');
  const newest = database.prepare(
    'SELECT sequence, text, hash FROM audit WHERE sequence < ? ORDER BY sequence DESC LIMIT ?',
  );
  const open = database.prepare(
    'SELECT o.job, a.text FROM audit_open o LEFT JOIN audit a ON a.sequence = o.sequence ORDER BY o.sequence',
  );

  return {
    head(): AuditHead {
      const row = head.get() ?? {};
      return {
        records: orNull(integer, row, 'records') ?? 0,
        hash: orNull(text, row, 'hash') ?? noHash,
        last: orNull(integer, row, 'last') ?? 0,
      };
    },
    after: (sequence: number, limit: number): StoredAuditRecord[] => after.all(sequence, limit).map(auditRecord),
    newest: ({ limit, before }: { limit: number; before?: number }): StoredAuditRecord[] =>
      newest.all(before ?? Number.MAX_SAFE_INTEGER, limit).map(auditRecord),
    open: (): OpenJob[] => open.all().map((row) => ({ job: text(row, 'job'), text: orNull(text, row, 'text') })),
  };
}

function auditRecord(row: Row): StoredAuditRecord {
  return { sequence: integer(row, 'sequence'), text: text(row, 'text'), hash: text(row, 'hash') };
}
