import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { configFile } from '../../config/load.ts';
import { CayError } from '../../errors.ts';
import { isOfRestore } from '../../store/backup/restore-names.ts';
import { printError } from '../terminal.ts';

/**
 * Brings a data folder in order in which `cay restore` was killed. Before the configuration is read, which is in it: a
 * server must not start on what was restored with the settings of what was there before.
 */
export async function mendDataFolder({ dataDir }: { readonly dataDir?: string }): Promise<void> {
  const { CAY_DATA_DIR } = process.env;
  const folder = dirname(configFile({ flags: { data_dir: dataDir }, environment: { CAY_DATA_DIR } }));
  if (!namesIn(folder).some(isOfRestore)) return;
  const { mendUnlocked } = await import('../../store/backup/mend.ts'); // late: it is hardly ever needed
  try {
    const mended = await mendUnlocked(folder);
    if (mended !== null) printError(`cay: ${mended}`);
  } catch (error) {
    if (!(error instanceof CayError)) throw error;
    // The restore may be under way. What cannot do without says so itself, when it opens the folder.
    if (error.code !== 'folder_in_use') printError(`cay: A restore to ${folder} was cut off: ${error.message}`);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // there is none, or it is not ours to read
  }
}
