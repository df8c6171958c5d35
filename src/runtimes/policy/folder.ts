import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { isInside, pathOf, realPath } from '../paths.ts';
import { Denied } from './denial.ts';

/** A directory, held open: whatever its path leads to later, this is the one that was checked. */
export interface OpenFolder {
  readonly handle: FileHandle;
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
  /** In nanoseconds: a folder that comes after this one may get its number. */
  readonly bornAt: bigint;
}

/** Not in Node's constants: a descriptor that only names something. Opening a pipe with it does not wait. */
const pathOnly = 0o10000000;

/** Opens what `path` is without links, and looks where it has got to: a link may have come in between. */
export async function openEntry(path: string, kind: 'folder' | 'any'): Promise<OpenFolder | null> {
  const real = await realPath(path);
  if (real === null) return null;
  const flags = pathOnly | constants.O_NOFOLLOW | (kind === 'folder' ? constants.O_DIRECTORY : 0);
  const handle = await open(real, flags).catch(() => null);
  if (handle === null) return null;
  const info = await handle.stat({ bigint: true });
  return { handle, path: pathOf(handle.fd), device: info.dev, inode: info.ino, bornAt: info.birthtimeNs };
}

/** What a repository may be. */
export interface RepositoryRules {
  /** Where its path led when the server started. */
  readonly expected: string;
  /** The server's data. */
  readonly data: string;
}

/** The repository's own folder. */
export async function openRepository(repoId: string, path: string, rules: RepositoryRules): Promise<OpenFolder> {
  const folder = await openEntry(path, 'folder');
  if (folder === null) throw repositoryDenial(repoId, path, `'${path}' is not a directory`);
  const problem = problemOf(folder.path, rules);
  if (problem === null) return folder;
  await folder.handle.close();
  throw repositoryDenial(repoId, path, problem);
}

function problemOf(path: string, { expected, data }: RepositoryRules): string | null {
  if (path === '/') return 'it is the whole file system';
  if (isInside(data, path)) return 'it is in the data folder of the server';
  // A job of a repository around this one may have put a link in its place.
  if (path !== expected) return `it leads to '${path}', and led to '${expected}' when the server started`;
  return null;
}

/** The working directory, after symbolic links. Throws a denial when it is not in the repository. */
export async function openWorkingFolder(root: OpenFolder, relative: string): Promise<OpenFolder> {
  const deny = (reason: string) => new Denied({ rule: 'cwd', asked: relative, allowed: root.path, reason });
  if (isRoot(relative)) return root;
  if (isAbsolute(relative)) throw deny(`relativeCwd '${relative}' is not relative to the repository`);
  const folder = await openEntry(`${root.path}/${relative}`, 'folder');
  if (folder === null) throw deny(`relativeCwd '${relative}' is not a directory in the repository`);
  if (isInside(root.path, folder.path)) return folder;
  await folder.handle.close();
  throw deny(`relativeCwd '${relative}' leads out of the repository`);
}

/** Whether a path names the repository itself. */
export const isRoot = (relative: string): boolean => relative === '' || relative === '.' || relative === './';

function repositoryDenial(repoId: string, asked: string, why: string): Denied {
  const reason = `Repository '${repoId}' cannot be used: ${why}; cay repo add ${repoId} PATH sets another`;
  return new Denied({ rule: 'repository', asked, allowed: null, reason });
}
