import { lstatSync, readlinkSync } from 'node:fs';
import { systemFolders } from '../executables/installation.ts';
import { isInside } from '../paths.ts';
import type { DeviceMount } from './devices.ts';
import { jailPlaces } from './places.ts';

export const jailLauncher = '/run/job/launch';

export interface JailOptions {
  readonly user: { readonly id: number; readonly group: number };
  readonly launcher: string;
  readonly etc: string;
  readonly devices: readonly DeviceMount[];
  /** What the executables need besides the system. */
  readonly installations: readonly string[];
  /** The repository, then what is inside of it. By descriptor, so that what is mounted is what was checked. */
  readonly mounts: readonly { readonly descriptor: number; readonly path: string; readonly writable: boolean }[];
  /** The server's own data, which may be inside of what is mounted. */
  readonly hidden: string;
  readonly network: boolean;
  readonly memoryMb: number;
}

/** What is kept in memory: the watch counts it, and each may be at most half of what the job may use. */
export const memoryFolders: readonly string[] = [jailPlaces.temporary, jailPlaces.home, jailPlaces.code, '/dev/shm'];

/** The command line of bubblewrap, up to the command. Later mounts lie over earlier ones. */
export function jailArguments(options: JailOptions): string[] {
  const size = `${Math.ceil(options.memoryMb / 2) * 2 ** 20}`;
  const inMemory = (folder: string) => ['--size', size, '--perms', '0700', '--tmpfs', folder];
  return [
    ...['--unshare-all', '--unshare-user', '--disable-userns', ...(options.network ? ['--share-net'] : [])],
    ...['--die-with-parent', '--new-session', '--as-pid-1', '--cap-drop', 'ALL', '--hostname', 'job'],
    ...['--uid', `${options.user.id}`, '--gid', `${options.user.group}`],
    ...systemFolders.flatMap(systemFolder),
    ...['--ro-bind', options.etc, '/etc'],
    ...(options.network ? ['--ro-bind-try', '/etc/resolv.conf', '/etc/resolv.conf'] : []),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...options.devices.flatMap(({ from, to }) => ['--dev-bind', from, to]),
    ...memoryFolders.flatMap(inMemory),
    ...['--dir', jailPlaces.build, '--symlink', '/tmp', '/var/tmp'],
    ...['--ro-bind', options.launcher, jailLauncher],
    ...options.installations.flatMap((folder) => ['--ro-bind', folder, folder]),
    ...options.mounts.flatMap(({ descriptor, path, writable }) => [
      writable ? '--bind-fd' : '--ro-bind-fd',
      `${descriptor}`,
      path,
    ]),
    ...(isShown(options) ? ['--tmpfs', options.hidden, '--remount-ro', options.hidden] : []),
    ...['--remount-ro', '/dev', '--remount-ro', '/proc', '--remount-ro', '/'],
    '--',
  ];
}

/** What is mounted by its path. */
export function sourcesOf(words: readonly string[]): string[] {
  return words.filter((_, index) => binds.includes(words[index - 1] ?? ''));
}

const binds = ['--ro-bind', '--ro-bind-try', '--dev-bind'];

function systemFolder(path: string): string[] {
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (!info) return [];
  return info.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
}

function isShown({ hidden, mounts, installations }: JailOptions): boolean {
  return [...mounts.map(({ path }) => path), ...installations, ...systemFolders].some((folder) =>
    isInside(folder, hidden),
  );
}
