import { configFile } from '../../config/load.ts';
import { writeBackup } from '../../store/backup/write.ts';
import { ExitCode } from '../exit-code.ts';
import { type FolderFlags, folderSources } from '../folder-options.ts';
import { manifest } from '../manifest.ts';
import { sizeText } from '../numbers.ts';
import { onTerminal, print, printError, printJson } from '../terminal.ts';
import { contentText } from './content-text.ts';
import { dataFolder } from './data-folder.ts';
import { whileShown } from './work.ts';

export interface BackupFlags extends FolderFlags {
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Returns the exit code. */
export function save(file: string, flags: BackupFlags): Promise<number> {
  const folder = dataFolder(flags);
  const options = { folder, file, configFile: configFile(folderSources(flags)), version: manifest.version };
  return whileShown(`saving ${folder}`, async (signal) => {
    const written = await writeBackup({ ...options, replace: flags.force ?? false, signal });
    for (const name of written.missing)
      printError(`cay: ${name} was gone from ${folder} already, and is not in the backup`);
    if (flags.json) printJson({ file, ...written });
    else
      print(
        `Saved to ${file}: ${contentText(written)}; ${sizeText(written.file_bytes)}${onTerminal() ? '' : ' bytes'}`,
      );
    return ExitCode.ok;
  });
}
