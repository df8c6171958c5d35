import type { Logger } from 'pino';
import { absolute } from '../config/file.ts';
import type { Config } from '../config/load.ts';
import { createRuntimes } from '../runtimes/runtimes.ts';
import type { Runtimes } from '../runtimes/types.ts';
import type { Store } from '../store/types.ts';

/** The governed runtimes on a data folder. */
export function openRuntimes(config: Config, store: Store, log: Logger): Promise<Runtimes> {
  return createRuntimes({ config: config.runtime, repos: repositories(config), folder: config.data_dir, store, log });
}

/** The registered repositories, with absolute paths. */
export function repositories({ repos }: Pick<Config, 'repos'>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(repos).map(([name, path]) => [name, absolute(path)]));
}
