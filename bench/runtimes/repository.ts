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

/** `others`: names of repositories besides. */
export function makeRepository(
  bench: ServerBench,
  runtime: Readonly<Record<string, unknown>> = {},
  others: readonly string[] = [],
): ServedRepository {
  const [folder, repository] = [bench.folder(), realpathSync(bench.folder())];
  const repos = Object.fromEntries(others.map((name) => [name, bench.folder()]));
  const config = { runtime: { enabled: true, ...runtime }, repos: { ...repos, [repoId]: repository } };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  return { folder, repository };
}
