import type { RuntimeConfig } from '../../config/runtime.ts';
import { resolveTool } from '../executables/resolve.ts';
import type { Machine } from '../machine.ts';
import { Denied } from '../policy/denial.ts';
import type { LanguageView } from '../types.ts';
import { runtimeNames } from './names.ts';
import { languages } from './table.ts';

/** What this machine has of the sixteen. The first time asks every one of them for its version. */
export function viewLanguages(
  { searchPath, identities }: Pick<Machine, 'searchPath' | 'identities'>,
  config: RuntimeConfig,
): Promise<LanguageView[]> {
  return Promise.all(
    runtimeNames.map(async (runtime) => {
      const language = languages[runtime];
      const found = await resolveTool(language, null, { searchPath, identities, allowed: [] }).catch(absent);
      return {
        runtime,
        allowed: config.allowedRuntimes.includes(runtime),
        executables: language.tools.map(({ executable }) => executable),
        executable: found?.paths.tool ?? null,
        version: found?.version ?? null,
        install: language.install,
      };
    }),
  );
}

function absent(error: unknown): null {
  if (error instanceof Denied) return null;
  throw error;
}
