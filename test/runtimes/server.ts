import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
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

type Settings = Parameters<typeof runtimeSchema.parse>[0] & object;

export interface TestedRuntimes {
  readonly runtimes: Runtimes;
  /** Of both below. */
  readonly folder: string;
  /** Real paths. */
  readonly repo: string;
  readonly data: string;
  run(request: Partial<ExecuteRequest>, options?: Partial<ExecuteOptions>): Promise<TestedAnswer>;
  close(): Promise<void>;
}

/** What ends with a test. */
export interface Ending {
  after(end: () => Promise<void>): void;
}

/** An answer with what was printed, whole. */
export interface TestedAnswer {
  readonly answer: ExecuteAnswer;
  readonly stdout: string;
  readonly stderr: string;
}

const defaults: ExecuteRequest = {
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
  context: Ending,
  settings: Settings = {},
  {
    dataAt = 'data',
    prepare = (_repo: string) => {},
    folder = temporaryFolder(),
    otherRepos = {} as Readonly<Record<string, string>>,
  } = {},
): Promise<TestedRuntimes> {
  const repo = join(folder, 'repo');
  const data = join(folder, dataAt);
  mkdirSync(repo, { recursive: true });
  prepare(repo);
  const store = await openSqliteStore({ folder: data, codec: loadBuild().addon });
  const config = runtimeSchema.parse({ enabled: true, allowedRuntimes: [...runtimeNames], ...settings });
  const log = pino({ level: 'silent' });
  const runtimes = await createRuntimes({
    config,
    repos: { repo, ...inFolder(folder, otherRepos) },
    folder: data,
    store,
    log,
  });
  const tested: TestedRuntimes = {
    runtimes,
    folder,
    repo,
    data,
    async run(request, options) {
      const signal = new AbortController().signal;
      const answer = await runtimes.execute({ ...defaults, ...request }, { signal, onProgress: null, ...options });
      return { answer, ...(await outputOf(runtimes, answer)) };
    },
    async close() {
      await runtimes.close();
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  context.after(() => tested.close());
  return tested;
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
  test.after(async () => (await opened)?.close());
  return (body) => async (context) => {
    opened ??= openRuntimes({ after: () => {} }, settings);
    await body(await opened, context);
  };
}
