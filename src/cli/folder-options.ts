import { Option } from 'commander';
import type { ConfigSources } from '../config/load.ts';

/** Which server's data and settings a command is about. */
export interface FolderFlags {
  readonly dataDir?: string;
  readonly config?: string;
}

export function folderOptions(): Option[] {
  return [
    new Option('--data-dir <folder>', 'the data folder (default: as `cay serve` would)'),
    new Option('--config <file>', 'the configuration file (default: config.json in the data folder)'),
  ];
}

/** What `loadConfig` makes settings of. */
export function folderSources({ dataDir, config }: FolderFlags): ConfigSources {
  return { flags: { data_dir: dataDir, config }, environment: process.env };
}
