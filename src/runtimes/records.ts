import { createHash } from 'node:crypto';
import type { JsonObject } from '../store/types.ts';
import type { PreparedJob } from './job/prepare.ts';
import type { JobOutcome } from './job/run.ts';
import type { Denial } from './policy/denial.ts';
import type { ExecuteRequest } from './types.ts';

/** What the audit says of a request: all of it, but of the code only its hash. */
export function requestDetails({ code, ...request }: ExecuteRequest): JsonObject {
  return { ...request, args: [...request.args], queryTerms: [...request.queryTerms], ...codeDetails(code) };
}

/** Of a request that nobody has checked. */
export function givenDetails(given: unknown): JsonObject {
  const fields = typeof given === 'object' && given !== null ? new Map(Object.entries(given)) : new Map();
  const text = (name: string) => {
    const value: unknown = fields.get(name);
    return typeof value === 'string' ? value : null;
  };
  return { repoId: text('repoId'), runtime: text('runtime'), ...codeDetails(text('code')) };
}

export function startDetails(job: PreparedJob, timeoutMs: number, network: boolean): JsonObject {
  return {
    repoId: job.request.repoId,
    request: requestDetails(job.request),
    decision: { allowed: true },
    executable: job.tool.paths.tool ?? null,
    version: job.tool.version,
    repository: job.repository.path,
    cwd: job.cwd.path,
    writable: job.writable.map(({ path }) => path),
    sandbox: job.bubblewrap === null ? 'none' : 'bubblewrap',
    network,
    timeoutMs,
  };
}

export function endDetails(outcome: JobOutcome, status: string, reasons: readonly string[]): JsonObject {
  const { stdout, stderr, handle } = outcome.output;
  return {
    status,
    exitCode: outcome.exitCode,
    signal: outcome.signal,
    durationMs: outcome.durationMs,
    stdoutBytes: stdout.bytes,
    stderrBytes: stderr.bytes,
    artifactHandle: handle,
    reasons: [...reasons],
  };
}

export function refusalDetails(request: JsonObject, denials: readonly Denial[]): JsonObject {
  return {
    repoId: request.repoId ?? null,
    request,
    decision: { allowed: false, denials: denials.map((denial) => ({ ...denial })) },
  };
}

function codeDetails(code: string | null): JsonObject {
  if (code === null) return { codeSha256: null };
  return { codeSha256: createHash('sha256').update(code).digest('hex'), codeBytes: Buffer.byteLength(code) };
}
