import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerBench } from '../server/bench.ts';

export const repoId = 'bench';

export interface ServedRepository {
  /** The data folder of a server that may run jobs in it. */
  readonly folder: string;
  /** Without links. */
  readonly repository: string;
}

export function makeRepository(bench: ServerBench, runtime: Readonly<Record<string, unknown>> = {}): ServedRepository {
  const [folder, repository] = [bench.folder(), realpathSync(bench.folder())];
  const config = { runtime: { enabled: true, ...runtime }, repos: { [repoId]: repository } };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  return { folder, repository };
}
