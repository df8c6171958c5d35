import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { type Cleanup, temporaryFolder } from '../../cleanup.ts';
import { call, httpClient, json, type RunningServer, startServer } from '../../server/running.ts';

export const execute = 'sdl_runtime_execute';
export const queryOutput = 'sdl_runtime_queryOutput';

export interface JobServer extends RunningServer {
  /** The folder of `my-repo`. */
  readonly repo: string;
}

interface Settings {
  readonly runtime?: Record<string, unknown>;
  /** Other keys of the configuration file. */
  readonly more?: Record<string, unknown>;
  readonly args?: string[];
  readonly env?: NodeJS.ProcessEnv;
  /** A data folder that is there already. */
  readonly folder?: string;
}

/** A data folder with a configuration in which runtimes are on and `my-repo` is registered. */
export function dataFolder(
  cleanup: Cleanup,
  { runtime = {}, more = {} }: Settings = {},
): { folder: string; repo: string } {
  const folder = temporaryFolder(cleanup);
  const repo = temporaryFolder(cleanup);
  mkdirSync(join(repo, 'inner'));
  const config = { runtime: { enabled: true, ...runtime }, repos: { 'my-repo': repo }, ...more };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  return { folder, repo };
}

export async function jobServer(cleanup: Cleanup, settings: Settings = {}): Promise<JobServer> {
  const made = settings.folder === undefined ? dataFolder(cleanup, settings) : { folder: settings.folder, repo: '' };
  const { args = [], env = {} } = settings;
  const server = await startServer(cleanup, { folder: made.folder, args, env });
  return { ...server, repo: made.repo };
}

export function jobClient(cleanup: Cleanup, { url }: RunningServer): Promise<Client> {
  return httpClient(cleanup, url);
}

type Fields = Record<string, unknown>;

/** The answer of a shell job in `my-repo`. */
export function shell(client: Client, code: string, given: Fields = {}): Promise<Fields> {
  return call(client, execute, { repoId: 'my-repo', runtime: 'shell', code, ...given });
}

export interface RestAnswer {
  readonly status: number;
  readonly body: Awaited<ReturnType<typeof json>>;
}

export async function request(
  { url }: RunningServer,
  method: string,
  path: string,
  body?: unknown,
): Promise<RestAnswer> {
  const init =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
  const response = await fetch(url + path, { method, ...init });
  return { status: response.status, body: await json(response) };
}

interface Job {
  readonly jobId: string;
  readonly repoId: string;
  readonly runtime: string;
  readonly state: string;
  readonly requestedAt: string;
  readonly startedAt: string | null;
  readonly timeoutMs: number;
}

/** The jobs, as soon as they are as a test wants them. */
export async function untilJobs(
  server: RunningServer,
  isMet: (jobs: readonly Job[]) => boolean,
): Promise<readonly Job[]> {
  for (;;) {
    const { body } = await request(server, 'GET', '/api/runtime/jobs');
    if (isMet(body.jobs)) return body.jobs;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
