import { loadBuild } from '../../engine/build.ts';
import { CayError } from '../../errors.ts';
import type { Manifest } from '../../store/backup/manifest.ts';
import { restoreBackup } from '../../store/backup/restore.ts';
import { ExitCode } from '../exit-code.ts';
import { print, printError, printJson } from '../terminal.ts';
import { contentText } from './content-text.ts';
import { dataFolder } from './data-folder.ts';
import { whileShown } from './work.ts';

export interface RestoreFlags {
  readonly dataDir?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Returns the exit code. */
export function restore(file: string, flags: RestoreFlags): Promise<number> {
  const folder = dataFolder(flags);
  return whileShown(`restoring ${folder}`, async (signal) => {
    const restored = await restoreBackup({ file, folder, force: flags.force ?? false, signal });
    const foreign = heapsOfOtherEngines(restored);
    if (foreign > 0) {
      printError(
        `cay: ${foreign} heaps were made by another engine version: this one keeps them and cannot continue them`,
      );
    }
    if (flags.json) {
      printJson({ folder, ...restored });
      return ExitCode.ok;
    }
    print(`Restored to ${folder}: ${contentText(restored)}; saved at ${restored.created_at} by Cay ${restored.cay}`);
    if (restored.put_aside !== null) print(`What was there before is in ${restored.put_aside}`);
    return ExitCode.ok;
  });
}

function heapsOfOtherEngines({ engines }: Manifest): number {
  const own = ownFingerprint();
  return engines.reduce((sum, { fingerprint, heaps }) => sum + (own === null || fingerprint === own ? 0 : heaps), 0);
}

/** Null before the engine was built: one can restore before that. */
function ownFingerprint(): string | null {
  try {
    return loadBuild().fingerprint;
  } catch (error) {
    if (error instanceof CayError && error.code === 'not_built') return null;
    throw error;
  }
}
