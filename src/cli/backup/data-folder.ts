import { absolute } from '../../config/file.ts';
import { loadConfig } from '../../config/load.ts';
import { type FolderFlags, folderSources } from '../folder-options.ts';

/** The data folder that is meant. Where it is named, a configuration that is wrong does not keep anyone from saving it. */
export function dataFolder(flags: FolderFlags): string {
  const named = flags.dataDir ?? (process.env.CAY_DATA_DIR || undefined);
  return named === undefined ? loadConfig(folderSources(flags)).data_dir : absolute(named);
}
