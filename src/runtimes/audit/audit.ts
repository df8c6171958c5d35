import type { AuditStore } from '../../store/audit.ts';
import { entryOf, readRecord } from './entry.ts';
import type { Audit } from './types.ts';
import { verifyAudit } from './verify.ts';

export function createAudit(store: AuditStore): Audit {
  return {
    append: (record) => store.append({ ...record, at: new Date().toISOString() }),
    list: async (query) => (await store.newest(query)).map(entryOf),
    verify: () => verifyAudit(store),
    async openJobs() {
      const jobs = await store.open();
      return jobs.map(({ job, text }) => ({ job, details: (text !== null && readRecord(text)?.details) || {} }));
    },
  };
}
