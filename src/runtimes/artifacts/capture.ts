import { randomBytes } from 'node:crypto';
import { CayError } from '../../errors.ts';
import type { ArtifactStore, StoredArtifact } from '../../store/artifacts.ts';
import type { ArtifactFiles } from './artifact-files.ts';
import { type CapturedStream, captureStream } from './captured-stream.ts';
import { KeptStream } from './keeping/kept-stream.ts';
import { ObservedStream } from './observed-stream.ts';
import { totalsOf } from './stream-totals.ts';
import { Summary } from './text/summary.ts';
import type { Capture, CapturedOutput, CaptureOptions, StreamName } from './types.ts';

export interface KeepingRules {
  readonly maxStreamBytes: number;
  readonly maxTotalBytes: number;
  readonly lifetimeMs: number;
}

export interface CaptureParts {
  readonly store: ArtifactStore;
  readonly files: ArtifactFiles;
  readonly rules: KeepingRules;
  readonly now: () => number;
  /** Of artifacts that had to make room: nobody waits for that. */
  readonly removeLater: (files: readonly string[]) => void;
}

export function beginCapture(parts: CaptureParts, options: CaptureOptions): Capture {
  const { repoId, persist, summaryLines, search } = options;
  const { store, files, rules, removeLater } = parts;
  const createdAt = parts.now();
  const file = `${createdAt}-${randomBytes(8).toString('hex')}`;
  const begin = (name: StreamName, head: number): CapturedStream => {
    const summary = summaryLines > 0 ? new Summary(head, summaryLines - head) : null;
    const kept = persist ? new KeptStream(files.path(file, name), rules.maxStreamBytes) : null;
    return captureStream(new ObservedStream(summary, search), kept);
  };
  const stdout = begin('stdout', Math.ceil(summaryLines / 2));
  const stderr = begin('stderr', 0);

  async function keep(): Promise<StoredArtifact> {
    const [out, err] = await bothSettled(stdout.keep(), stderr.keep());
    const artifact: StoredArtifact = {
      handle: `runtime-${repoId}-${file}`,
      repo: repoId,
      file,
      createdAt,
      expiresAt: createdAt + rules.lifetimeMs,
      storedBytes: out.storedBytes + err.storedBytes,
      stdout: out.stream,
      stderr: err.stream,
    };
    if (artifact.storedBytes > rules.maxTotalBytes) throw new Error('it is larger than all outputs may be together');
    removeLater(await store.add(artifact, rules.maxTotalBytes));
    return artifact;
  }

  async function discard(): Promise<void> {
    await Promise.all([stdout.end(), stderr.end()]);
    await Promise.all([stdout.remove(), stderr.remove()]);
  }

  async function keepOrNot(): Promise<{ artifact: StoredArtifact | null; failure: Error | null }> {
    if (!persist) return { artifact: null, failure: null };
    try {
      return { artifact: await keep(), failure: null };
    } catch (cause) {
      await discard();
      const reason = cause instanceof Error ? cause.message : String(cause);
      return {
        artifact: null,
        failure: new CayError('artifact_failed', `The output was not kept: ${reason}`, { cause }),
      };
    }
  }

  return {
    stdout: stdout.writable,
    stderr: stderr.writable,
    async finish(): Promise<CapturedOutput> {
      await Promise.all([stdout.end(), stderr.end()]);
      const { artifact, failure } = await keepOrNot();
      const excerpts = [...stdout.observed.excerpts('stdout'), ...stderr.observed.excerpts('stderr')];
      return {
        stdout: totalsOf(artifact?.stdout ?? stdout.unkept()),
        stderr: totalsOf(artifact?.stderr ?? stderr.unkept()),
        handle: artifact?.handle ?? null,
        failure,
        stdoutSummary: stdout.observed.summary(),
        stderrSummary: stderr.observed.summary(),
        excerpts: excerpts.slice(0, search?.maxExcerpts ?? 0),
      };
    },
    discard,
  };
}

/** Also when one of them fails the other is not under way any more. */
async function bothSettled<T>(one: Promise<T>, other: Promise<T>): Promise<[T, T]> {
  await Promise.allSettled([one, other]);
  return [await one, await other];
}
