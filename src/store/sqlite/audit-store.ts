import { existsSync } from 'node:fs';
import type { AuditReads, AuditStore } from '../audit.ts';
import { auditReads } from './audit-reads.ts';
import { databaseFile, openForReading } from './database.ts';
import { Gate } from './gate.ts';
import type { Thread } from './thread.ts';
import type { WriterCalls } from './writer-thread.ts';

type Reads = ReturnType<typeof auditReads>;

export function auditStore(gate: Gate, writer: Thread<WriterCalls>, read: Reads): AuditStore {
  return { append: (record) => gate.enter(() => writer.call('appendAudit', record)), ...readsOf(gate, read) };
}

/** Reads the log in a folder also while a server has it open; null when no Cay that keeps one has been there. */
export function openAuditForReading(folder: string): { readonly audit: AuditReads; close(): void } | null {
  if (!existsSync(databaseFile(folder))) return null;
  const database = openForReading(folder);
  const known = database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'audit_head'`).get();
  if (known) return { audit: readsOf(new Gate(), auditReads(database)), close: () => database.close() };
  database.close();
  return null;
}

function readsOf(gate: Gate, read: Reads): AuditReads {
  return {
    head: () => gate.enter(() => read.head()),
    after: (sequence, limit) => gate.enter(() => read.after(sequence, limit)),
    newest: (query) => gate.enter(() => read.newest(query)),
    open: () => gate.enter(() => read.open()),
  };
}
