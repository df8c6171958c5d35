import { type Config, loadConfig } from '../../config/load.ts';
import { runtimeSchema } from '../../config/runtime.ts';
import { surveyLanguages, tryDevices, tryJail } from '../../runtimes/survey.ts';
import type { LanguageView } from '../../runtimes/types.ts';
import { type FolderFlags, folderSources } from '../folder-options.ts';
import { repositories } from '../runtimes.ts';
import { ok, type Row, reasonOf, warn } from './row.ts';
import { nearestFolder } from './store-rows.ts';

/** The governed runtimes: a jail, really made, and the sixteen languages. */
export async function runtimeRows(flags: FolderFlags): Promise<Row[]> {
  const { runtime, repos, data_dir } = settings(flags);
  const [jail, devices, languages] = await Promise.all([
    jailRow(),
    devicesRow(data_dir),
    surveyLanguages(runtime, repositories({ repos })),
  ]);
  return [jail, ...devices, ...languages.map(languageRow)];
}

/** What is wrong with the configuration has a row of its own. */
function settings(flags: FolderFlags): Pick<Config, 'runtime' | 'repos'> & { readonly data_dir: string | null } {
  try {
    return loadConfig(folderSources(flags));
  } catch {
    return { runtime: runtimeSchema.parse({}), repos: {}, data_dir: null };
  }
}

async function jailRow(): Promise<Row> {
  try {
    return ok('bubblewrap', `${await tryJail()}, and it made a jail`);
  } catch (error) {
    return warn('bubblewrap', reasonOf(error), 'until then jobs of governed runtimes are denied; all else works');
  }
}

/** Of a server that root runs; others cannot change the machine's own. */
async function devicesRow(folder: string | null): Promise<Row[]> {
  if (process.getuid?.() !== 0 || folder === null) return [];
  const name = 'device nodes';
  try {
    const problem = await tryDevices(await nearestFolder(folder));
    return [problem === null ? ok(name, 'jobs have their own') : sharedDevices(problem)];
  } catch (error) {
    return [sharedDevices(reasonOf(error))];
  }
}

function sharedDevices(problem: string): Row {
  const detail = `jobs share those of the machine, and can change their mode: ${problem}`;
  return warn(
    'device nodes',
    detail,
    'put the data on a file system that is not mounted nodev, or do not serve as root',
  );
}

function languageRow({ runtime, allowed, executable, version, install }: LanguageView): Row {
  const name = `runtime: ${runtime}`;
  if (executable !== null) return ok(name, `${version ?? 'unknown version'}, ${executable}`);
  if (allowed) return warn(name, 'not installed, though it is allowed', install);
  return ok(name, `not installed (${install}), and not in runtime.allowedRuntimes`);
}
