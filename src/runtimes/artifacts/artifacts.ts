import type { RuntimeConfig } from '../../config/runtime.ts';
import type { ArtifactStore } from '../../store/artifacts.ts';
import { artifactOf } from './artifact.ts';
import { ArtifactFiles } from './artifact-files.ts';
import { beginCapture, type KeepingRules } from './capture.ts';
import type { Artifacts } from './types.ts';

export interface ArtifactsOptions {
  /** It is made if needed, and holds nothing else. */
  readonly folder: string;
  readonly store: ArtifactStore;
  readonly limits: Pick<RuntimeConfig, 'maxArtifactMb' | 'artifactTtlHours' | 'artifactTotalGb'>;
  /** What went wrong in the background. It will be tried again. */
  readonly onError: (error: unknown) => void;
  readonly now?: () => number;
}

const longestPauseMs = 600_000;

export function createArtifacts({ folder, store, limits, onError, now = Date.now }: ArtifactsOptions): Artifacts {
  const files = new ArtifactFiles(folder);
  const rules: KeepingRules = {
    maxStreamBytes: limits.maxArtifactMb * 2 ** 20,
    maxTotalBytes: limits.artifactTotalGb * 2 ** 30,
    lifetimeMs: limits.artifactTtlHours * 3_600_000,
  };
  let background: Promise<unknown> = Promise.resolve();
  const later = (work: () => Promise<void>): Promise<void> => {
    const done = background.then(work);
    background = done.catch(onError);
    return done;
  };
  const sweep = () =>
    later(async () => {
      await files.removeLeftovers(store);
      await files.remove(await store.expire(now()));
    });
  const removeLater = (gone: readonly string[]) => void later(() => files.remove(gone)).catch(() => {});
  const timer = setInterval(
    () => void sweep().catch(() => {}),
    Math.max(1000, Math.min(rules.lifetimeMs, longestPauseMs)),
  );
  timer.unref();
  void sweep().catch(() => {});
  return {
    begin: (options) => beginCapture({ store, files, rules, now, removeLater }, options),
    async open(handle) {
      const stored = await store.get(handle);
      return stored && stored.expiresAt > now() ? artifactOf(stored, files) : null;
    },
    sweep,
    async close() {
      clearInterval(timer);
      await background;
    },
  };
}
