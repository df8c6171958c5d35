import { z } from 'zod';
import type { Audit, AuditEntry } from '../../runtimes/audit/types.ts';
import { named } from '../named.ts';
import * as fields from './fields.ts';
import { jobOperation } from './job-operation.ts';

const hash = z.string().describe('SHA-256, 64 hex digits');

const record = named(
  'AuditRecord',
  z.object({
    sequence: z.int().describe('from 1, without gaps'),
    kind: z.enum(['start', 'end', 'refused']),
    job: z.string(),
    at: fields.time,
    details: z.record(z.string(), z.unknown()),
    hash,
    previous: hash,
  }),
);

const listInput = z.strictObject({
  limit: z.int().min(1).max(1000).default(100),
  before: z.int().min(1).optional().describe('only records with a smaller sequence: next_before of the page before'),
});

const listOutput = z.object({ records: z.array(record), next_before: z.int().nullable() });

export const auditOperation = jobOperation({
  name: 'list_audit_records',
  group: 'Jobs',
  method: 'GET',
  path: '/api/audit',
  summary: 'List audit records',
  description: 'What was run and what was refused, newest first.',
  example: { limit: 10 },
  input: listInput,
  output: listOutput,
  run: (args, { services }) => auditPage(services.runtimes.audit, args),
});

/** A page of the log; the command line reads it without a server. */
export async function auditPage(
  audit: Pick<Audit, 'list'>,
  { limit, before }: z.output<typeof listInput>,
): Promise<z.output<typeof listOutput>> {
  const found = await audit.list({ limit, ...(before === undefined ? {} : { before }) });
  const last = found.length === limit ? found.at(-1)?.sequence : undefined;
  return { records: found.map(recordView), next_before: last === undefined || last === 1 ? null : last };
}

const verdict = named(
  'AuditVerdict',
  z.object({
    ok: z.boolean(),
    records: z.int().optional(),
    head: hash.optional(),
    sequence: z.int().optional().describe('the first record that is not as it was'),
    fault: z.enum(['changed', 'missing', 'reordered', 'added']).optional(),
    message: z.string().optional(),
  }),
);

export const verifyOperation = jobOperation({
  name: 'verify_audit',
  group: 'Jobs',
  method: 'GET',
  path: '/api/audit/verify',
  summary: 'Check the audit records',
  description: 'Goes over the whole chain: each record has the hash of the one before.',
  input: z.strictObject({}),
  output: verdict,
  run: (_, { services }) => services.runtimes.audit.verify(),
});

function recordView({ sequence, kind, job, at, details, hash, previous }: AuditEntry): z.input<typeof record> {
  return { sequence, kind, job, at, details: { ...details }, hash, previous };
}
