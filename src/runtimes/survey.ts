import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RuntimeConfig } from '../config/runtime.ts';
import { Identities } from './executables/identity.ts';
import { probeEnvironment } from './executables/probe-environment.ts';
import { SearchPath } from './executables/search-path.ts';
import { Bubblewrap } from './jail/bubblewrap.ts';
import { Devices } from './jail/devices.ts';
import { viewLanguages } from './languages/view.ts';
import { realPath } from './paths.ts';
import { removeTree } from './remove-tree.ts';
import type { LanguageView } from './types.ts';

const run = promisify(execFile);

/** What this machine has of the sixteen, asked without a server and without its data. */
export async function surveyLanguages(
  config: RuntimeConfig,
  repos: Readonly<Record<string, string>>,
): Promise<readonly LanguageView[]> {
  const searchPath = await searchPathOf(Object.values(repos));
  const identities = new Identities(probeEnvironment(searchPath));
  return viewLanguages({ searchPath, identities }, config);
}

/** The version of the jail after a jail was really made. Throws a Denied that says what to do. */
export async function tryJail(): Promise<string> {
  const path = await new Bubblewrap(await searchPathOf([])).find();
  return (await run(path, ['--version'])).stdout.trim();
}

/** Why jobs would share the device nodes of the machine; null when they do not. `folder`: where data are, or will be. */
export async function tryDevices(folder: string): Promise<string | null> {
  const trial = await mkdtemp(join(folder, '.cay-devices-'));
  try {
    return (await new Devices(trial).make()).problem;
  } finally {
    await removeTree(trial);
  }
}

async function searchPathOf(repositories: readonly string[]): Promise<SearchPath> {
  const roots = (await Promise.all(repositories.map(realPath))).filter((root) => root !== null);
  return SearchPath.from(process.env.PATH ?? '', roots);
}
