import { type Config, loadConfig } from '../../config/load.ts';
import { surveyLanguages } from '../../runtimes/survey.ts';
import { languagesOperation, languagesView } from '../../server/tools/jobs.ts';
import { columns } from '../columns.ts';
import { folderSources } from '../folder-options.ts';
import { repositories } from '../runtimes.ts';
import { print } from '../terminal.ts';
import { type DoorFlags, remoteDoor } from './door.ts';

export interface ListFlags extends DoorFlags {
  readonly json?: boolean;
}

/** Prints the sixteen runtimes. */
export async function list({ json = false, ...flags }: ListFlags): Promise<void> {
  const answer = await languagesOf(loadConfig(folderSources(flags)), flags);
  if (json) return print(JSON.stringify(answer, null, 2));
  const rows = answer.runtimes.map(({ runtime, allowed, executable, version, install }) => [
    runtime,
    allowed ? 'allowed' : 'not allowed',
    executable === null ? `missing: ${install}` : `${version ?? 'unknown version'}, ${executable}`,
  ]);
  print(columns(rows));
}

/** This machine's, which takes no data folder; or those of the server that was named. */
async function languagesOf(config: Config, flags: DoorFlags) {
  if (flags.url === undefined) {
    return languagesView(await surveyLanguages(config.runtime, repositories(config)), config.runtime);
  }
  return remoteDoor(flags).call(languagesOperation(config), {}, new AbortController().signal);
}
