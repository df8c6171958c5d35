import { basename, isAbsolute } from 'node:path';
import type { Language, Tool } from '../languages/language.ts';
import { isInside, realPathNow } from '../paths.ts';
import { Denied } from '../policy/denial.ts';
import { type Identities, type Identity, isAtLeast } from './identity.ts';
import { installationOf, isOfSystem } from './installation.ts';
import type { SearchPath } from './search-path.ts';

/** A tool of a row, with all that it takes to run it. */
export interface ResolvedTool {
  readonly tool: Tool;
  /** Paths by the names that its commands use; `tool` is its own. */
  readonly paths: Readonly<Record<string, string>>;
  readonly version: string | null;
  /** What a jail has to hold besides the system. */
  readonly installations: readonly string[];
}

export interface ExecutableRules {
  readonly searchPath: SearchPath;
  readonly identities: Identities;
  /** Of the policy. None: those of the table. */
  readonly allowed: readonly string[];
}

/** The first tool of the row that is there, or the one asked for. Throws a denial that says what was looked for. */
export async function resolveTool(
  language: Language,
  asked: string | null,
  rules: ExecutableRules,
): Promise<ResolvedTool> {
  const tools = candidates(language, asked, rules.allowed);
  const refused: string[] = [];
  for (const tool of tools) {
    const found = await find(tool, rules);
    if (typeof found !== 'string') return found;
    refused.push(found);
  }
  throw new Denied({
    rule: 'executable',
    asked,
    allowed: tools.map((tool) => tool.executable),
    reason: `There is nothing to run ${language.runtime} with: ${refused.join('; ')}. To install it: ${language.install}`,
  });
}

function candidates(language: Language, asked: string | null, allowed: readonly string[]): readonly Tool[] {
  const possible = allowedTools(language, allowed).filter(({ executable }) => asked === null || executable === asked);
  if (possible.length > 0) return possible;
  const names = language.tools.map(({ executable }) => executable);
  const row = `one of ${names.join(', ')}`;
  const which = allowed.length === 0 ? row : `${row}, and in runtime.allowedExecutables: ${allowed.join(', ')}`;
  throw new Denied({
    rule: 'executable',
    asked: asked ?? names,
    allowed: allowedTools(language, allowed).map(({ executable }) => executable),
    reason: `Executable '${asked ?? names.join(', ')}' is not allowed for ${language.runtime}: it must be ${which}`,
  });
}

/** Those of the row that the policy allows: by their names, or where it says that they are. */
function allowedTools({ tools }: Language, allowed: readonly string[]): readonly Tool[] {
  if (allowed.length === 0) return tools;
  return tools.flatMap((tool) => {
    const entries = allowed.filter((entry) => basename(entry) === tool.executable);
    return entries.map((executable) => ({ ...tool, executable }));
  });
}

/** The tool; or why not. */
async function find(tool: Tool, rules: ExecutableRules): Promise<ResolvedTool | string> {
  const companions = (tool.companions ?? []).map((name) => ({ executable: name, stages: [], version: ['--version'] }));
  const paths: Record<string, string> = {};
  const installations = new Set<string>();
  let version: string | null = null;
  for (const needed of [...companions, tool]) {
    const identity = await locate(needed, rules);
    if (typeof identity === 'string') return identity;
    const own = installationOf(identity.path, identity.folders);
    for (const folder of own) installations.add(folder);
    paths[basename(needed.executable)] = reachable(identity.path, own);
    version = identity.version;
  }
  return {
    tool,
    paths: { ...paths, tool: paths[basename(tool.executable)] ?? '' },
    version,
    installations: [...installations],
  };
}

/** A link from somewhere else into an installation is not in the jail, but what it leads to is. */
function reachable(path: string, installations: readonly string[]): string {
  const isThere = isOfSystem(path) || installations.some((folder) => isInside(folder, path));
  return isThere ? path : (realPathNow(path) ?? path);
}

async function locate(tool: Tool, { searchPath, identities }: ExecutableRules): Promise<Identity | string> {
  const name = tool.executable;
  const found = isAbsolute(name) && searchPath.isSafe(name) ? [name] : searchPath.all(name);
  let reason = `${name} is not installed`;
  let silent: Identity | null = null;
  for (const path of found) {
    const identity = await identities.of(path, tool);
    if (!searchPath.isSafe(identity.path)) {
      reason = `${name} is really ${identity.path}, which is in a repository`;
    } else if (tool.atLeast && !isAtLeast(identity.version, tool.atLeast)) {
      reason = `${path} is ${identity.version ?? 'of an unknown version'}, and ${tool.atLeast} is needed`;
    } else if (identity.version !== null) {
      return identity;
    } else {
      silent ??= identity; // a shim without its toolchain says nothing, and one that works may come after it
    }
  }
  return silent ?? reason;
}
