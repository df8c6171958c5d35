import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadBuild } from '../../src/engine/build.ts';
import { createArtifacts } from '../../src/runtimes/artifacts/artifacts.ts';
import type { Artifacts } from '../../src/runtimes/artifacts/types.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';

export interface Output {
  readonly bytes: number;
  readonly line: string;
}

/** Data folder of a server that may run jobs, with these outputs kept in it; their handles. */
export async function fillWithOutputs<Name extends string>(
  folder: string,
  outputs: Readonly<Record<Name, Output>>,
): Promise<Map<Name, string>> {
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ runtime: { enabled: true } }));
  const store = await openSqliteStore({ folder, codec: loadBuild().addon });
  const artifacts = createArtifacts({
    folder: join(folder, 'artifacts'),
    store: store.artifacts,
    limits: { maxArtifactMb: 2048, artifactTtlHours: 24, artifactTotalGb: 10 },
    onError: (error) => process.stderr.write(`${error}\n`),
  });
  const handles = new Map<Name, string>();
  for (const name of Object.keys(outputs) as Name[]) handles.set(name, await keep(artifacts, outputs[name]));
  await artifacts.close();
  await store.close();
  return handles;
}

async function keep(artifacts: Artifacts, { bytes, line }: Output): Promise<string> {
  const capture = artifacts.begin({ repoId: 'bench', persist: true, summaryLines: 0, search: null });
  const piece = Buffer.from(line.repeat(Math.min(bytes, 1_000_000) / line.length));
  for (let written = 0; written < bytes; written += piece.length) {
    if (!capture.stdout.write(piece)) await once(capture.stdout, 'drain');
  }
  const { handle, failure } = await capture.finish();
  if (handle === null) throw failure ?? new Error('the output was not kept');
  return handle;
}
