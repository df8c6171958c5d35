import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { RuntimeConfig } from '../config/runtime.ts';
import { Identities } from './executables/identity.ts';
import { SearchPath } from './executables/search-path.ts';
import { Bubblewrap } from './jail/bubblewrap.ts';
import { viewLanguages } from './languages/view.ts';
import { realPath } from './paths.ts';
import type { LanguageView } from './types.ts';

const run = promisify(execFile);

/** What this machine has of the sixteen, asked without a server and without its data. */
export async function surveyLanguages(
  config: RuntimeConfig,
  repos: Readonly<Record<string, string>>,
): Promise<readonly LanguageView[]> {
  const searchPath = await searchPathOf(Object.values(repos));
  return viewLanguages({ searchPath, identities: new Identities() }, config);
}

/** The version of the jail after a jail was really made. Throws a Denied that says what to do. */
export async function tryJail(): Promise<string> {
  const path = await new Bubblewrap(await searchPathOf([])).find();
  return (await run(path, ['--version'])).stdout.trim();
}

async function searchPathOf(repositories: readonly string[]): Promise<SearchPath> {
  const roots = (await Promise.all(repositories.map(realPath))).filter((root) => root !== null);
  return SearchPath.from(process.env.PATH ?? '', roots);
}
