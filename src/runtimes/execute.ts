import type { Logger } from 'pino';
import type { RuntimeConfig } from '../config/runtime.ts';
import { answerFor, deniedAnswer, endingFor } from './answer.ts';
import type { Artifacts, CaptureOptions } from './artifacts/types.ts';
import type { Audit } from './audit/types.ts';
import { Launch, type LaunchOptions } from './job/launch.ts';
import { launcherCommand } from './job/launcher-command.ts';
import { type PreparedJob, prepareJob } from './job/prepare.ts';
import { type JobOutcome, runJob } from './job/run.ts';
import { makeWorkspace } from './job/workspace.ts';
import type { Job } from './jobs.ts';
import type { Machine } from './machine.ts';
import { type Denial, Denied } from './policy/denial.ts';
import { decide } from './policy/policy.ts';
import { reasonsFor } from './reasons.ts';
import { endDetails, refusalDetails, requestDetails, startDetails } from './records.ts';
import type { Slots } from './slots.ts';
import type { ExecuteAnswer, ExecuteRequest } from './types.ts';

export interface ExecuteContext {
  readonly config: RuntimeConfig;
  readonly repos: Readonly<Record<string, string>>;
  readonly machine: Machine;
  readonly artifacts: Artifacts;
  readonly audit: Audit;
  readonly slots: Slots;
  readonly log: Logger;
}

/** Policy, executable, working directory, slot, run. The gate and the arguments have been passed. */
export async function executeJob(request: ExecuteRequest, job: Job, context: ExecuteContext): Promise<ExecuteAnswer> {
  try {
    const decision = decide(request, context);
    if (decision.kind === 'denied') throw new Denied(...decision.denials);
    const prepared = await prepareJob(request, decision.repository, context.config, context.machine);
    try {
      job.accepted(decision.timeoutMs);
      const release = await context.slots.take(job.signal);
      try {
        return await runPrepared(prepared, decision.timeoutMs, job, context);
      } finally {
        release();
      }
    } finally {
      await prepared.close();
    }
  } catch (error) {
    if (error instanceof Denied) return refuse(request, job, error.denials, context.audit);
    throw error;
  }
}

async function runPrepared(
  prepared: PreparedJob,
  timeoutMs: number,
  job: Job,
  context: ExecuteContext,
): Promise<ExecuteAnswer> {
  const { config, machine, audit } = context;
  const { source, request } = prepared;
  const workspace = await makeWorkspace(machine.jobs, job.id, source, prepared.bubblewrap !== null);
  try {
    const launch = start(await launcherCommand(prepared, workspace, config, machine));
    try {
      // While this is written the launcher makes its jail; it runs nothing before it is told to.
      await audit.append({ kind: 'start', job: job.id, details: startDetails(prepared, timeoutMs, config.network) });
    } catch (error) {
      await launch.end();
      throw error;
    }
    job.started();
    const outcome = await captureJob(launch, prepared, timeoutMs, job, context);
    const reasons = reasonsFor(outcome, config);
    const status = outcome.report?.kind === 'other_folder' ? 'denied' : outcome.status;
    const { hash } = await audit.append({ kind: 'end', job: job.id, details: endDetails(outcome, status, reasons) });
    return answerFor(request, { ...endingFor(outcome, hash, reasons), status }, outcome.output);
  } finally {
    await workspace.remove();
  }
}

async function captureJob(
  launch: Launch,
  { request }: PreparedJob,
  timeoutMs: number,
  { id, signal, onProgress }: Job,
  { artifacts, audit, log }: ExecuteContext,
): Promise<JobOutcome> {
  const capture = artifacts.begin(captureOptions(request));
  try {
    const outcome = await runJob({ launch, capture, timeoutMs, signal, onProgress });
    if (outcome.output.failure) log.warn({ err: outcome.output.failure, job: id }, 'output was not kept');
    return outcome;
  } catch (error) {
    await launch.end();
    await capture.discard();
    const reason = error instanceof Error ? error.message : String(error);
    await audit.append({ kind: 'end', job: id, details: { status: 'failure', reasons: [reason] } });
    throw error;
  }
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

/** The kernel takes only so many bytes of arguments; that is known only by trying. */
function start(options: LaunchOptions): Launch {
  try {
    return new Launch(options);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'E2BIG')) throw error;
    const bytes = options.command.reduce((sum, word) => sum + Buffer.byteLength(word), 0);
    const reason = `The arguments are too long for the system (${bytes} bytes with the jail's own): pass a file instead`;
    throw new Denied({ rule: 'arguments', asked: bytes, allowed: null, reason });
  }
}

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
