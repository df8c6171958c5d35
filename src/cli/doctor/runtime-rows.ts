import { type Config, loadConfig } from '../../config/load.ts';
import { runtimeSchema } from '../../config/runtime.ts';
import { surveyLanguages, tryJail } from '../../runtimes/survey.ts';
import type { LanguageView } from '../../runtimes/types.ts';
import { type FolderFlags, folderSources } from '../folder-options.ts';
import { repositories } from '../runtimes.ts';
import { ok, type Row, reasonOf, warn } from './row.ts';

/** The governed runtimes: a jail, really made, and the sixteen languages. */
export async function runtimeRows(flags: FolderFlags): Promise<Row[]> {
  const { runtime, repos } = settings(flags);
  const [jail, languages] = await Promise.all([jailRow(), surveyLanguages(runtime, repositories({ repos }))]);
  return [jail, ...languages.map(languageRow)];
}

/** What is wrong with the configuration has a row of its own. */
function settings(flags: FolderFlags): Pick<Config, 'runtime' | 'repos'> {
  try {
    return loadConfig(folderSources(flags));
  } catch {
    return { runtime: runtimeSchema.parse({}), repos: {} };
  }
}

async function jailRow(): Promise<Row> {
  try {
    return ok('bubblewrap', `${await tryJail()}, and it made a jail`);
  } catch (error) {
    return warn('bubblewrap', reasonOf(error), 'until then jobs of governed runtimes are denied; all else works');
  }
}

function languageRow({ runtime, allowed, executable, version, install }: LanguageView): Row {
  const name = `runtime: ${runtime}`;
  if (executable !== null) return ok(name, `${version ?? 'unknown version'}, ${executable}`);
  if (allowed) return warn(name, 'not installed, though it is allowed', install);
  return ok(name, `not installed (${install}), and not in runtime.allowedRuntimes`);
}
