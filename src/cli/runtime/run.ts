import { loadConfig } from '../../config/load.ts';
import { executeOperation } from '../../server/tools/runtime.ts';
import { ExitCode, exitCodeOfSignal } from '../exit-code.ts';
import { folderSources } from '../folder-options.ts';
import { interruptible } from '../interruption.ts';
import { Progress } from '../progress.ts';
import { readSource } from '../source-file.ts';
import { printJson } from '../terminal.ts';
import { type DoorFlags, openRuntimeDoor } from './door.ts';
import { present } from './flags.ts';

export interface RunFlags extends DoorFlags {
  readonly repo: string;
  readonly runtime: string;
  readonly code?: string;
  readonly file?: string;
  readonly executable?: string;
  readonly cwd?: string;
  readonly timeout?: number;
  readonly mode?: string;
  readonly term?: string[];
  readonly lines?: number;
  readonly persist: boolean;
}

/** Runs a job and prints its answer; returns the exit code. */
export async function run(args: readonly string[], flags: RunFlags): Promise<number> {
  const code = flags.file === undefined ? flags.code : await readSource(flags.file);
  const given = {
    repoId: flags.repo,
    runtime: flags.runtime,
    executable: flags.executable,
    args: args.length === 0 ? undefined : args,
    code,
    relativeCwd: flags.cwd,
    timeoutMs: flags.timeout,
    queryTerms: flags.term,
    maxResponseLines: flags.lines,
    persistOutput: flags.persist,
    outputMode: flags.mode,
  };
  const config = loadConfig(folderSources(flags));
  const door = await openRuntimeDoor(config, flags);
  const progress = new Progress('running');
  try {
    const [answer, interruptedBy] = await interruptible((signal) =>
      door.call(executeOperation(config), present(given), signal).catch((error: unknown) => {
        // The server cancels the job when its caller goes away, and there is no answer.
        if (signal.aborted) return null;
        throw error;
      }),
    );
    progress.end();
    if (answer) printJson(answer);
    if (interruptedBy) return exitCodeOfSignal(interruptedBy);
    return answer?.status === 'success' ? ExitCode.ok : ExitCode.failed;
  } finally {
    progress.end();
    await door.close();
  }
}
