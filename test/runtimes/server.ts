import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { runtimeSchema } from '../../src/config/runtime.ts';
import { loadBuild } from '../../src/engine/build.ts';
import { runtimeNames } from '../../src/runtimes/languages/names.ts';
import { createRuntimes } from '../../src/runtimes/runtimes.ts';
import type { ExecuteAnswer, ExecuteOptions, ExecuteRequest, Runtimes } from '../../src/runtimes/types.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { atEnd, type Cleanup } from '../cleanup.ts';

type Settings = Parameters<typeof runtimeSchema.parse>[0] & object;

export interface TestedRuntimes {
  readonly runtimes: Runtimes;
  /** Of both below. */
  readonly folder: string;
  /** Real paths. */
  readonly repo: string;
  readonly data: string;
  run(request: Partial<ExecuteRequest>, options?: Partial<ExecuteOptions>): Promise<TestedAnswer>;
}

/** An answer with what was printed, whole. */
export interface TestedAnswer {
  readonly answer: ExecuteAnswer;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a test does not ask for otherwise. */
export const jobRequest: ExecuteRequest = {
  repoId: 'repo',
  runtime: 'shell',
  executable: null,
  args: [],
  code: null,
  relativeCwd: '.',
  timeoutMs: 60_000,
  queryTerms: [],
  maxResponseLines: 1000,
  persistOutput: true,
  outputMode: 'minimal',
};

/** Runtimes on a real store with one empty repository; all of it is gone after the test. */
export async function openRuntimes(
  cleanup: Cleanup,
  settings: Settings = {},
  {
    dataAt = 'data',
    prepare = (_repo: string) => {},
    folder = temporaryFolder(),
    otherRepos = {} as Readonly<Record<string, string>>,
  } = {},
): Promise<TestedRuntimes> {
  atEnd(cleanup, () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  const repo = join(folder, 'repo');
  const data = join(folder, dataAt);
  mkdirSync(repo, { recursive: true });
  prepare(repo);
  const store = await openSqliteStore({ folder: data, codec: loadBuild().addon });
  atEnd(cleanup, () => store.close());
  const config = runtimeSchema.parse({ enabled: true, allowedRuntimes: [...runtimeNames], ...settings });
  const log = pino({ level: 'silent' });
  const runtimes = await createRuntimes({
    config,
    repos: { repo, ...inFolder(folder, otherRepos) },
    folder: data,
    store,
    log,
  });
  atEnd(cleanup, () => runtimes.close());
  return {
    runtimes,
    folder,
    repo,
    data,
    async run(request, options) {
      const signal = new AbortController().signal;
      const answer = await runtimes.execute({ ...jobRequest, ...request }, { signal, onProgress: null, ...options });
      return { answer, ...(await outputOf(runtimes, answer)) };
    },
  };
}

const inFolder = (folder: string, paths: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, join(folder, path)]));

const temporaryFolder = () => realpathSync(mkdtempSync(join(tmpdir(), 'cay-runtimes-')));

async function outputOf(runtimes: Runtimes, { artifactHandle }: ExecuteAnswer) {
  const artifact = artifactHandle === null ? null : await runtimes.artifacts.open(artifactHandle);
  const text = async (stream: 'stdout' | 'stderr') =>
    artifact === null ? '' : Buffer.concat(await Array.fromAsync(artifact.read(stream))).toString('utf8');
  return { stdout: await text('stdout'), stderr: await text('stderr') };
}

type Body = (tested: TestedRuntimes, context: TestContext) => Promise<void>;

/** One server for all tests of a file. */
export function withRuntimes(settings: Settings = {}): (body: Body) => (context: TestContext) => Promise<void> {
  let opened: Promise<TestedRuntimes> | null = null;
  let end: () => unknown = () => {};
  test.after(() => end());
  // What is asked for while a test runs would be done at its end, and not at that of the file.
  const cleanup: Cleanup = {
    after: (action) => {
      end = action;
    },
  };
  return (body) => async (context) => {
    opened ??= openRuntimes(cleanup, settings);
    await body(await opened, context);
  };
}
