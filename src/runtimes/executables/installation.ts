import { homedir } from 'node:os';
import { basename, dirname } from 'node:path';
import { isInside, realPath } from '../paths.ts';

/** Always in a jail, and readable by everyone outside of it. */
export const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store'] as const;

export function isOfSystem(path: string): boolean {
  return systemFolders.some((folder) => isInside(folder, path));
}

/**
 * What has to be in a jail for an executable to work: nothing more when it is the system's; else the folder that it was
 * installed in, or the file alone where that folder would show more than an installation.
 */
export async function installationOf(path: string, folders: readonly string[]): Promise<readonly string[]> {
  const real = (await realPath(path)) ?? path;
  const named = await Promise.all(folders.map(async (folder) => (await realPath(folder)) ?? folder));
  const all = [harmless(folderOf(real)) ? folderOf(real) : real, ...named.filter(harmless)];
  return [...new Set(all)].filter((folder) => !isOfSystem(folder));
}

function folderOf(real: string): string {
  const folder = dirname(real);
  if (basename(folder) === 'bin') return dirname(folder);
  const packages = real.indexOf('/node_modules/');
  if (packages === -1) return folder;
  const prefix = real.slice(0, packages);
  return basename(prefix) === 'lib' ? dirname(prefix) : `${prefix}/node_modules`;
}

/** A folder that holds somebody's home is not an installation. */
function harmless(folder: string): boolean {
  return (
    !['/', '/home', '/root', '/etc', '/var', '/opt', '/tmp', '/proc', '/sys', '/dev'].includes(folder) &&
    !isInside(folder, homedir())
  );
}
