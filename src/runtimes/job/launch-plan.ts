import { readFileSync, statSync } from 'node:fs';
import type { RuntimeConfig } from '../../config/runtime.ts';
import { jailArguments, jailLauncher, sourcesOf } from '../jail/arguments.ts';
import type { Machine } from '../machine.ts';
import type { OpenFolder } from '../policy/folder.ts';
import { firstDescriptor, Launch } from './launch.ts';
import type { PreparedJob } from './prepare.ts';

/** How a launcher is started, in a jail or without one; what it is to run it hears later. */
export interface LaunchPlan {
  readonly jail: {
    readonly bubblewrap: string;
    readonly words: readonly string[];
    readonly mounts: readonly OpenFolder[];
  } | null;
  /** Two jails with the same key are alike: the same things are mounted in the same places. Null without a jail. */
  readonly key: string | null;
}

export async function planLaunch(job: PreparedJob, config: RuntimeConfig, machine: Machine): Promise<LaunchPlan> {
  const { repository, bubblewrap } = job;
  if (bubblewrap === null) return { jail: null, key: null };
  const folders = inOrder([...job.writable, ...job.pinned]).map((folder) => ({ ...folder, writable: true }));
  // Mounted once: where all of it may be written, that is the mount.
  const mounts = folders[0]?.path === repository.path ? folders : [{ ...repository, writable: false }, ...folders];
  const words = jailArguments({
    user: machine.user,
    launcher: machine.launcher,
    etc: await machine.etc.current(),
    devices: (await machine.devices.make()).mounts,
    installations: job.tool.installations,
    mounts: mounts.map(({ path, writable }, index) => ({ path, writable, descriptor: firstDescriptor + index })),
    hidden: machine.folder,
    network: config.network,
    memoryMb: config.memoryMb,
  });
  const jail = { bubblewrap, words, mounts };
  return { jail, key: keyOf(jail, machine.folder) };
}

/** Throws whatever keeps a process from being made. */
export function startLaunch({ jail }: LaunchPlan, machine: Machine): Launch {
  if (jail === null) return new Launch({ command: [machine.launcher], descriptors: [], jailed: false });
  return new Launch({
    command: [machine.launcher, jail.bubblewrap, ...jail.words, jailLauncher],
    descriptors: jail.mounts.map(({ handle }) => handle.fd),
    jailed: true,
  });
}

/** What is around comes before what is inside. */
const inOrder = (folders: readonly OpenFolder[]): OpenFolder[] =>
  [...folders].sort((a, b) => a.path.length - b.path.length);

/**
 * Paths alone do not say what is mounted: a folder may have been replaced, an installation upgraded, a disk mounted since.
 * Numbers alone do not either: some file systems give that of a folder that was removed to the next one.
 */
function keyOf({ bubblewrap, words, mounts }: NonNullable<LaunchPlan['jail']>, hidden: string): string {
  const named = [...sourcesOf(words), hidden].map((path) => {
    const info = statSync(path, { bigint: true, throwIfNoEntry: false });
    return info ? `${info.dev}:${info.ino}:${info.birthtimeNs}` : '';
  });
  const held = mounts.map(({ device, inode, bornAt }) => `${device}:${inode}:${bornAt}`);
  return [bubblewrap, ...words, ...named, ...held, readFileSync('/proc/self/mountinfo', 'latin1')].join('\0');
}
