import { join } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { RuntimeConfig } from '../config/runtime.ts';
import { CayError } from '../errors.ts';
import type { Store } from '../store/types.ts';
import { deniedAnswer } from './answer.ts';
import { createArtifacts } from './artifacts/artifacts.ts';
import { createAudit } from './audit/audit.ts';
import type { Audit } from './audit/types.ts';
import { executeJob } from './execute.ts';
import { SpareJails } from './jail/spare-jails.ts';
import { newJobId } from './job/workspace.ts';
import { Jobs } from './jobs.ts';
import { viewLanguages } from './languages/view.ts';
import { type Machine, openMachine } from './machine.ts';
import { switchedOff } from './policy/policy.ts';
import { givenDetails, refusalDetails } from './records.ts';
import { Slots } from './slots.ts';
import type { Runtimes } from './types.ts';

export interface RuntimesOptions {
  readonly config: RuntimeConfig;
  /** Paths of repositories by name. */
  readonly repos: Readonly<Record<string, string>>;
  /** The server's data folder. */
  readonly folder: string;
  readonly store: Store;
  readonly log: Logger;
}

/** Opens the third surface. Jobs that a server before this one left without an end get one in the audit. */
export async function createRuntimes({ config, repos, folder, store, log }: RuntimesOptions): Promise<Runtimes> {
  const machine = await openMachine(folder, Object.values(repos));
  const audit = createAudit(store.audit);
  await endCutOff(audit);
  const artifacts = createArtifacts({
    folder: join(machine.folder, 'artifacts'),
    store: store.artifacts,
    limits: config,
    onError: (error) => log.warn({ err: error }, 'artifacts'),
  });
  const warmedUp = config.enabled && config.sandbox === 'bubblewrap' ? warmUp(machine, log) : null;
  const jobs = new Jobs();
  const slots = new Slots(config.maxConcurrentJobs);
  const spares = new SpareJails();
  const context = { config, repos, machine, artifacts, audit, slots, spares, log };
  return {
    artifacts,
    audit,
    async gate(given) {
      if (config.enabled) return null;
      const details = refusalDetails(givenDetails(given), [switchedOff]);
      const { hash } = await audit.append({ kind: 'refused', job: newJobId(), details });
      return deniedAnswer(shapeOf(given), { status: 'denied', auditHash: hash, reasons: [switchedOff.reason] });
    },
    execute: (request, options) => jobs.follow(request, options, (job) => executeJob(request, job, context)),
    async query({ artifactHandle, queryTerms, maxExcerpts, contextLines, stream }) {
      const artifact = await artifacts.open(artifactHandle);
      if (artifact === null) {
        throw new CayError('not_found', `Artifact '${artifactHandle}' not found: it is unknown, or its time is up`);
      }
      const searchedStreams = stream === 'both' ? (['stdout', 'stderr'] as const) : [stream];
      return {
        artifactHandle,
        excerpts: await artifact.excerpts({ terms: queryTerms, contextLines, maxExcerpts }, searchedStreams),
        totalLines: artifact.stdout.lines + artifact.stderr.lines,
        totalBytes: artifact.stdout.bytes + artifact.stderr.bytes,
        searchedStreams,
      };
    },
    jobs: () => jobs.views(),
    cancel: (jobId) => jobs.cancel(jobId),
    languages: () => viewLanguages(machine, config),
    async close() {
      await jobs.close();
      await spares.close();
      await warmedUp;
      await artifacts.close();
    },
  };
}

/** What the first job would wait for. What fails now fails there again, where somebody hears of it. */
async function warmUp({ etc, devices, bubblewrap }: Machine, log: Logger): Promise<void> {
  const problemOf = devices.make().then(({ problem }) => {
    if (problem !== null) log.warn({ problem }, 'jobs share the device nodes of the machine: `cay doctor` says more');
  });
  await Promise.allSettled([etc.current(), problemOf, bubblewrap.find()]);
}

async function endCutOff(audit: Audit): Promise<void> {
  for (const { job, details } of await audit.openJobs()) {
    const repoId = details.repoId ?? null;
    const reasons = ['The server stopped while this job was running'];
    await audit.append({ kind: 'end', job, details: { status: 'cut_off', repoId, reasons } });
  }
}

const shape = z.object({ outputMode: z.enum(['minimal', 'summary', 'intent']).catch('minimal') });

function shapeOf(given: unknown) {
  const { data } = shape.safeParse(given);
  return { outputMode: data?.outputMode ?? ('minimal' as const), maxResponseLines: 0 };
}
