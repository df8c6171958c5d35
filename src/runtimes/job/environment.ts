import { dirname } from 'node:path';
import { isOfSystem } from '../executables/installation.ts';
import type { ResolvedTool } from '../executables/resolve.ts';
import type { Places } from '../jail/places.ts';
import { isInside } from '../paths.ts';

export interface EnvironmentOptions {
  readonly places: Places;
  readonly tool: ResolvedTool;
  readonly jailed: boolean;
  /** Of the server, without what is in repositories. */
  readonly searchPath: readonly string[];
  /** Of the language's row, filled in. */
  readonly ofLanguage: Readonly<Record<string, string>>;
  readonly allowlist: readonly string[];
}

/** All that a job sees of any environment. */
export function jobEnvironment(options: EnvironmentOptions): Record<string, string> {
  const allowed = options.allowlist.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    LANG: 'C.UTF-8',
    ...options.ofLanguage,
    ...Object.fromEntries(allowed),
    PATH: pathFor(options).join(':'),
    HOME: options.places.home,
    TMPDIR: options.places.temporary,
  };
}

/** The tool comes first, so that what a job starts by name is of the same version. Then what is there of the PATH. */
function pathFor({ tool, jailed, searchPath }: EnvironmentOptions): string[] {
  const own = Object.values(tool.paths).map((path) => dirname(path));
  const ofTool = own.filter((folder) => !isOfSystem(folder));
  const isThere = (folder: string) =>
    !jailed || isOfSystem(folder) || tool.installations.some((installation) => isInside(installation, folder));
  return [...new Set([...ofTool, ...searchPath.filter(isThere)])];
}
