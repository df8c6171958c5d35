import type { DatabaseSync } from 'node:sqlite';
import { type AuditReceipt, auditHash, auditText, type NewAuditRecord, noHash } from '../audit.ts';
import { integer, text } from './rows.ts';

export function auditWrites(database: DatabaseSync) {
  const head = database.prepare('SELECT records, hash FROM audit_head');
  const insert = database.prepare('INSERT INTO audit (sequence, text, hash) VALUES (?, ?, ?)');
  const setHead = database.prepare(
    'INSERT INTO audit_head (id, records, hash) VALUES (1, ?1, ?2) ON CONFLICT DO UPDATE SET records = ?1, hash = ?2',
  );
  const open = database.prepare('INSERT OR REPLACE INTO audit_open (job, sequence) VALUES (?, ?)');
  const close = database.prepare('DELETE FROM audit_open WHERE job = ?');

  return {
    appendAudit(record: NewAuditRecord): AuditReceipt {
      const row = head.get();
      const sequence = row ? integer(row, 'records') + 1 : 1;
      const { at, details, job, kind } = record;
      const chained = auditText({ at, details, job, kind, sequence, previous: row ? text(row, 'hash') : noHash });
      const hash = auditHash(chained);
      insert.run(sequence, chained, hash);
      setHead.run(sequence, hash);
      if (kind === 'start') open.run(job, sequence);
      else if (kind === 'end') close.run(job);
      return { sequence, hash };
    },
  };
}
