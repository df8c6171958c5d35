// Run as a process of its own, which does one thing to the artifacts in a folder and tells how much memory that took.
import { once } from 'node:events';
import type { CaptureOptions, Search } from '../../src/runtimes/artifacts/types.ts';
import { runtimePlace } from './places.ts';

export interface ProbeTask {
  readonly folder: string;
  readonly maxArtifactMb: number;
  readonly capture: { readonly bytes: number; readonly line: string; readonly options: CaptureOptions } | null;
  /** Of all artifacts that were captured before. */
  readonly query: { readonly handle: string; readonly search: Search } | null;
}

export interface ProbeReport {
  readonly handle: string | null;
  readonly excerpts: number;
  readonly milliseconds: number;
  /** How much more the process had at its peak than before. */
  readonly peakMb: number;
}

const task: ProbeTask = JSON.parse(process.argv[2] ?? '');
const place = await runtimePlace({ folder: task.folder, maxArtifactMb: task.maxArtifactMb, artifactTotalGb: 100 });

async function capture(bytes: number, line: string, options: CaptureOptions): Promise<string | null> {
  const taken = place.artifacts.begin(options);
  const piece = Buffer.from(line.repeat(Math.ceil(65_536 / line.length)));
  for (let sent = 0; sent < bytes; sent += piece.length) {
    // A copy each, as bytes that come out of a pipe are.
    if (!taken.stdout.write(Buffer.from(piece))) await once(taken.stdout, 'drain');
  }
  return (await taken.finish()).handle;
}

async function query(handle: string, search: Search): Promise<number> {
  const artifact = await place.artifacts.open(handle);
  if (!artifact) throw new Error(`there is no artifact ${handle}`);
  return (await artifact.excerpts(search, ['stdout', 'stderr'])).length;
}

const warm = await capture(
  1000,
  'warm\n',
  task.capture?.options ?? { repoId: 'a', persist: true, summaryLines: 0, search: null },
);
if (warm !== null) await query(warm, { terms: ['cold'], contextLines: 3, maxExcerpts: 10 });
const before = process.resourceUsage().maxRSS;
const begun = performance.now();
const handle = task.capture && (await capture(task.capture.bytes, task.capture.line, task.capture.options));
const excerpts = task.query ? await query(task.query.handle, task.query.search) : 0;
const milliseconds = performance.now() - begun;
const peakMb = (process.resourceUsage().maxRSS - before) / 1024;
await place.artifacts.close();
await place.store.close();
process.stdout.write(JSON.stringify({ handle, excerpts, milliseconds, peakMb } satisfies ProbeReport));
