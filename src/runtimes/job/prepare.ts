import { resolve } from 'node:path';
import type { RuntimeConfig } from '../../config/runtime.ts';
import { type ResolvedTool, resolveTool } from '../executables/resolve.ts';
import type { Language, SourceName } from '../languages/language.ts';
import { languages } from '../languages/table.ts';
import type { Machine } from '../machine.ts';
import { isInside } from '../paths.ts';
import { Denied } from '../policy/denial.ts';
import { type OpenFolder, openRepository, openWorkingFolder } from '../policy/folder.ts';
import { openWayTo } from '../policy/way.ts';
import { closeAll, openWritable } from '../policy/writable.ts';
import type { ExecuteRequest } from '../types.ts';

/** A job that may run, with everything that it needs held open. */
export interface PreparedJob {
  readonly request: ExecuteRequest;
  readonly language: Language;
  readonly tool: ResolvedTool;
  readonly source: (SourceName & { readonly code: string }) | null;
  /** Null: it runs without a jail. */
  readonly bubblewrap: string | null;
  readonly repository: OpenFolder;
  readonly cwd: OpenFolder;
  readonly writable: readonly OpenFolder[];
  /** Folders of what is writable that the job may not move. */
  readonly pinned: readonly OpenFolder[];
  close(): Promise<void>;
}

/** Executable, then working directory. Throws a denial. */
export async function prepareJob(
  request: ExecuteRequest,
  path: string,
  config: RuntimeConfig,
  machine: Machine,
): Promise<PreparedJob> {
  const language = languages[request.runtime];
  const { searchPath, identities } = machine;
  const asked = request.executable ?? (request.code === null ? (language.direct ?? null) : null);
  const tool = await resolveTool(language, asked, { searchPath, identities, allowed: config.allowedExecutables });
  const bubblewrap = config.sandbox === 'none' ? null : await machine.bubblewrap.find();
  const held: OpenFolder[] = [];
  try {
    const rules = { expected: machine.repositories.get(path) ?? resolve(path), data: machine.folder };
    const repository = await openRepository(request.repoId, path, rules);
    held.push(repository);
    refuseFromRepository(tool, repository.path);
    const cwd = await openWorkingFolder(repository, request.relativeCwd);
    held.push(cwd);
    const writable = bubblewrap === null ? [] : await openWritable(repository, config.writable);
    held.push(...writable);
    const pinned = await openWayTo(machine.folder, writable);
    held.push(...pinned);
    const source = request.code === null ? null : { ...sourceOf(language, request.code), code: request.code };
    return {
      request,
      language,
      tool,
      source,
      bubblewrap,
      repository,
      cwd,
      writable,
      pinned,
      close: () => closeAll([...new Set(held)]),
    };
  } catch (error) {
    await closeAll([...new Set(held)]);
    throw error;
  }
}

function sourceOf({ source }: Language, code: string): SourceName {
  return typeof source === 'function' ? source(code) : source;
}

/** The search path knows where the repositories were when the server started; this one may have moved since. */
function refuseFromRepository({ paths }: ResolvedTool, root: string): void {
  const planted = Object.values(paths).find((path) => isInside(root, path));
  if (planted === undefined) return;
  const reason = `Executable '${planted}' is in the repository, where a job may have put it`;
  throw new Denied({ rule: 'executable', asked: planted, allowed: null, reason });
}
