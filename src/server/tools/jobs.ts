import { z } from 'zod';
import type { Config } from '../../config/load.ts';
import type { RuntimeConfig } from '../../config/runtime.ts';
import { runtimeNames } from '../../runtimes/languages/names.ts';
import type { LanguageView } from '../../runtimes/types.ts';
import { named } from '../named.ts';
import { defineRoute } from '../tool.ts';
import * as fields from './fields.ts';
import { jobOperation } from './job-operation.ts';
import { iso } from './views.ts';

const runtime = z.enum(runtimeNames);

const language = named(
  'Runtime',
  z.object({
    runtime,
    allowed: z.boolean(),
    executables: z.array(z.string()),
    executable: z.string().nullable(),
    version: z.string().nullable(),
    install: z.string(),
  }),
);

/** The sixteen runtimes, what this machine has of them, and what the owner allows. */
export function languagesOperation({ runtime: policy }: Pick<Config, 'runtime'>) {
  return jobOperation({
    name: 'list_runtimes',
    group: 'Jobs',
    method: 'GET',
    path: '/api/runtimes',
    summary: 'List the runtimes',
    description: 'The sixteen languages, what is installed of them, and whether the owner allows them.',
    input: z.strictObject({}),
    output: z.object({ enabled: z.boolean(), sandbox: z.string(), runtimes: z.array(language) }),
    run: async (_, { services }) => languagesView(await services.runtimes.languages(), policy),
  });
}

export function languagesView(found: readonly LanguageView[], { enabled, sandbox }: RuntimeConfig) {
  return { enabled, sandbox, runtimes: found.map((one) => ({ ...one, executables: [...one.executables] })) };
}

const jobShape = named(
  'Job',
  z.object({
    jobId: z.string(),
    repoId: z.string(),
    runtime,
    state: z.enum(['waiting', 'running']),
    requestedAt: fields.time,
    startedAt: fields.time.nullable(),
    timeoutMs: z.int(),
  }),
);

export const jobsRoute = defineRoute({
  name: 'list_jobs',
  group: 'Jobs',
  method: 'GET',
  path: '/api/runtime/jobs',
  summary: 'List jobs',
  description: 'Those that wait and those that run.',
  input: z.strictObject({}),
  output: z.object({ jobs: z.array(jobShape) }),
  run: async (_, { services }) => ({
    jobs: services.runtimes.jobs().map(({ id, requestedAt, startedAt, ...others }) => ({
      jobId: id,
      ...others,
      requestedAt: iso(requestedAt),
      startedAt: startedAt === null ? null : iso(startedAt),
    })),
  }),
});

export const cancelJobRoute = defineRoute({
  name: 'cancel_job',
  group: 'Jobs',
  method: 'POST',
  path: '/api/runtime/jobs/{jobId}/cancel',
  summary: 'Cancel a job',
  description: 'When it is answered, every process of the job is gone.',
  input: z.strictObject({ jobId: z.string() }),
  output: fields.done,
  run: async ({ jobId }, { services }) =>
    (await services.runtimes.cancel(jobId)) ? { ok: true } : { ok: false, error: `Job '${jobId}' not found` },
  failure: ({ ok }) => (ok ? null : 'not_found'),
  statuses: [200, 404],
});
