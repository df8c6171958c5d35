import { type Config, loadConfig } from '../../config/load.ts';
import { surveyLanguages } from '../../runtimes/survey.ts';
import { languagesOperation, languagesView } from '../../server/tools/jobs.ts';
import { folderSources } from '../folder-options.ts';
import { Progress } from '../progress.ts';
import { ownServer } from '../remote.ts';
import { repositories } from '../runtimes.ts';
import { columnHeads, table } from '../table.ts';
import { print, printJson } from '../terminal.ts';
import { type DoorFlags, remoteDoor } from './door.ts';

export interface ListFlags extends DoorFlags {
  readonly json?: boolean;
}

/** Prints the sixteen runtimes. */
export async function list({ json = false, ...flags }: ListFlags): Promise<void> {
  const progress = new Progress('looking');
  const answer = await languagesOf(loadConfig(folderSources(flags)), flags).finally(() => progress.end());
  if (json) return printJson(answer);
  const rows = answer.runtimes.map(({ runtime, allowed, executable, version, install }) => [
    runtime,
    { text: allowed ? 'allowed' : 'not allowed', color: allowed ? ('green' as const) : ('dim' as const) },
    executable === null ? `missing: ${install}` : `${version ?? 'unknown version'}, ${executable}`,
  ]);
  print(table(columnHeads('runtime', 'policy', '~installed'), rows));
}

/** Those of the server that was named or has the data folder; else this machine's, which takes no data folder. */
async function languagesOf(config: Config, flags: DoorFlags) {
  const server = ownServer(config, flags);
  if (server.notOf === undefined) {
    return remoteDoor(server).call(languagesOperation(config), {}, new AbortController().signal);
  }
  return languagesView(await surveyLanguages(config.runtime, repositories(config)), config.runtime);
}
