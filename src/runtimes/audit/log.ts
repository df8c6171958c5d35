import { noHash } from '../../store/audit.ts';
import { openAuditForReading } from '../../store/sqlite/audit-store.ts';
import { entryOf } from './entry.ts';
import type { Audit } from './types.ts';
import { verifyAudit } from './verify.ts';

interface AuditLog extends Pick<Audit, 'list' | 'verify'> {
  close(): void;
}

/** The log in a data folder, for reading, also while a server has it. A folder without one has no records. */
export function openAuditLog(folder: string): AuditLog {
  const opened = openAuditForReading(folder);
  if (!opened) return none;
  const { audit, close } = opened;
  return {
    list: async (query) => (await audit.newest(query)).map(entryOf),
    verify: () => verifyAudit(audit),
    close,
  };
}

const none: AuditLog = {
  list: async () => [],
  verify: async () => ({ ok: true, records: 0, head: noHash }),
  close: () => {},
};
