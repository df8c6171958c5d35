import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadBuild } from '../../src/engine/build.ts';
import { type ArtifactsOptions, createArtifacts } from '../../src/runtimes/artifacts/artifacts.ts';
import type { Artifacts } from '../../src/runtimes/artifacts/types.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import type { Store } from '../../src/store/types.ts';

export interface RuntimePlace {
  readonly folder: string;
  readonly store: Store;
  readonly artifacts: Artifacts;
  /** What went wrong in the background. */
  readonly errors: unknown[];
  /** Of the artifacts. */
  files(): string[];
  end(): Promise<void>;
}

/** A data folder with a real store and the outputs of jobs; `folder`: an earlier one's. */
export async function runtimePlace(
  change: Partial<ArtifactsOptions['limits']> & { folder?: string; now?: () => number } = {},
): Promise<RuntimePlace> {
  const { folder = mkdtempSync(join(tmpdir(), 'cay-artifacts-')), now = Date.now, ...limits } = change;
  const store = await openSqliteStore({ folder, codec: loadBuild().addon });
  const errors: unknown[] = [];
  const artifacts = createArtifacts({
    folder: join(folder, 'artifacts'),
    store: store.artifacts,
    limits: { maxArtifactMb: 64, artifactTtlHours: 24, artifactTotalGb: 5, ...limits },
    onError: (error) => errors.push(error),
    now,
  });
  return {
    folder,
    store,
    artifacts,
    errors,
    files: () => readdirSync(join(folder, 'artifacts')).sort(),
    async end() {
      try {
        await artifacts.close();
      } finally {
        await store.close();
        rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
      }
    },
  };
}
