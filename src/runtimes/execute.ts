import type { Logger } from 'pino';
import type { RuntimeConfig } from '../config/runtime.ts';
import { answerFor, deniedAnswer, endingFor } from './answer.ts';
import type { Artifacts, Capture, CaptureOptions } from './artifacts/types.ts';
import type { Audit } from './audit/types.ts';
import { type BegunJob, beginJob } from './begin.ts';
import type { SpareJails } from './jail/spare-jails.ts';
import { startLaunch } from './job/launch-plan.ts';
import { type JobOutcome, runJob } from './job/run.ts';
import type { Job } from './jobs.ts';
import type { Machine } from './machine.ts';
import { type Denial, Denied } from './policy/denial.ts';
import { reasonsFor } from './reasons.ts';
import { endDetails, refusalDetails, requestDetails } from './records.ts';
import type { Slots } from './slots.ts';
import type { ExecuteAnswer, ExecuteRequest } from './types.ts';

export interface ExecuteContext {
  readonly config: RuntimeConfig;
  readonly repos: Readonly<Record<string, string>>;
  readonly machine: Machine;
  readonly artifacts: Artifacts;
  readonly audit: Audit;
  readonly slots: Slots;
  readonly spares: SpareJails;
  readonly log: Logger;
}

/** From the policy to the answer. The gate and the arguments have been passed. */
export async function executeJob(request: ExecuteRequest, job: Job, context: ExecuteContext): Promise<ExecuteAnswer> {
  let begun: BegunJob;
  try {
    begun = await beginJob(request, job, context);
  } catch (error) {
    return notBegun(request, job, error, context.audit);
  }
  try {
    return await run(begun, job, context);
  } finally {
    begun.release();
    await tidy(begun, context);
  }
}

async function run(begun: BegunJob, job: Job, context: ExecuteContext): Promise<ExecuteAnswer> {
  const { config, audit } = context;
  const outcome = await captureJob(begun, job, context);
  const reasons = reasonsFor(outcome, config);
  const isDenied = outcome.report?.kind === 'other_folder' || outcome.report?.kind === 'too_long';
  const status = isDenied ? 'denied' : outcome.status;
  const { hash } = await audit.append({ kind: 'end', job: job.id, details: endDetails(outcome, status, reasons) });
  return answerFor(begun.prepared.request, { ...endingFor(outcome, hash, reasons), status }, outcome.output);
}

async function captureJob(
  { launch, launchAgain, prepared, timeoutMs }: BegunJob,
  { id, signal, onProgress }: Job,
  { artifacts, audit, log }: ExecuteContext,
): Promise<JobOutcome> {
  let capture: Capture | null = null;
  try {
    capture = artifacts.begin(captureOptions(prepared.request));
    const outcome = await runJob({ launch, launchAgain, capture, timeoutMs, signal, onProgress });
    if (outcome.output.failure) log.warn({ err: outcome.output.failure, job: id }, 'output was not kept');
    return outcome;
  } catch (error) {
    await launch.discard();
    await capture?.discard();
    await audit.append({ kind: 'end', job: id, details: { status: 'failure', reasons: [reasonOf(error)] } });
    throw error;
  }
}

/** Nobody waits for what was held open, nor for a jail that the next job may use. */
async function tidy({ prepared, plan, workspace }: BegunJob, { spares, machine, log }: ExecuteContext): Promise<void> {
  void spares.afterwards(async () => {
    try {
      spares.refill(plan.key, () => startLaunch(plan, machine));
    } catch (error) {
      log.warn({ err: error }, 'no jail could be made for the next job');
    }
    await prepared.close();
  });
  await workspace?.remove();
}

function captureOptions(request: ExecuteRequest): CaptureOptions {
  const isSearched = request.outputMode !== 'minimal' && request.queryTerms.length > 0;
  return {
    repoId: request.repoId,
    persist: request.persistOutput,
    summaryLines: request.outputMode === 'summary' ? request.maxResponseLines : 0,
    search: isSearched ? { terms: request.queryTerms, contextLines: 3, maxExcerpts: 10 } : null,
  };
}

/** What never began is written down too, whoever is to blame for that. */
async function notBegun(request: ExecuteRequest, job: Job, error: unknown, audit: Audit): Promise<ExecuteAnswer> {
  if (error instanceof Denied) return refuse(request, job, error.denials, audit);
  const reason = `The server could not start it: ${reasonOf(error)}`;
  const denial: Denial = { rule: 'server', asked: null, allowed: null, reason };
  await refuse(request, job, [denial], audit).catch(() => {}); // it may be the log that cannot be written
  throw error;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function refuse(
  request: ExecuteRequest,
  { id }: Job,
  denials: readonly Denial[],
  audit: Audit,
): Promise<ExecuteAnswer> {
  const details = refusalDetails(requestDetails(request), denials);
  const { hash } = await audit.append({ kind: 'refused', job: id, details });
  const status = denials.some(({ rule }) => rule === 'cancelled') ? 'cancelled' : 'denied';
  return deniedAnswer(request, { status, auditHash: hash, reasons: denials.map(({ reason }) => reason) });
}
