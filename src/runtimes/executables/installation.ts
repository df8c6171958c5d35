import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isInside, realPathNow } from '../paths.ts';

/** Always in a jail, and readable by everyone outside of it. */
export const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store'] as const;

export function isOfSystem(path: string): boolean {
  return systemFolders.some((folder) => isInside(folder, path));
}

/**
 * What has to be in a jail for an executable to work: nothing more when it is the system's; else the folder that it was
 * installed in, or the file alone where that folder would show more than an installation.
 */
export function installationOf(path: string, folders: readonly string[]): readonly string[] {
  const real = realPathNow(path) ?? path;
  const named = folders.map((folder) => realPathNow(folder) ?? folder);
  const all = [harmless(folderOf(real)) ? folderOf(real) : real, ...named.filter(harmless)];
  return [...new Set(all.flatMap(withoutData))].filter((folder) => !isOfSystem(folder));
}

function folderOf(real: string): string {
  const folder = dirname(real);
  if (basename(folder) === 'bin') return dirname(folder);
  const packages = real.indexOf('/node_modules/');
  if (packages === -1) return folder;
  const prefix = real.slice(0, packages);
  return basename(prefix) === 'lib' ? dirname(prefix) : `${prefix}/node_modules`;
}

const shared = [
  '/',
  '/home',
  '/root',
  '/etc',
  '/var',
  '/opt',
  '/srv',
  '/mnt',
  '/media',
  '/run',
  '/tmp',
  '/proc',
  '/sys',
  '/dev',
];

/** A folder that holds somebody's home is not an installation. */
function harmless(folder: string): boolean {
  return !shared.includes(folder) && dirname(folder) !== '/home' && !isInside(folder, homedir());
}

/** Programs that a user installs are beside the data of all others, keyrings too: ~/.local/share, ~/.local/state. */
function withoutData(folder: string): string[] {
  if (basename(folder) !== '.local') return [folder];
  return ['bin', 'lib', 'libexec', 'include'].map((name) => join(folder, name)).filter((path) => existsSync(path));
}
