import { chmod, copyFile, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { built } from '../engine/built.ts';
import { Identities } from './executables/identity.ts';
import { probeEnvironment } from './executables/probe-environment.ts';
import { SearchPath } from './executables/search-path.ts';
import { Bubblewrap } from './jail/bubblewrap.ts';
import { Devices } from './jail/devices.ts';
import { Etc } from './jail/etc.ts';
import { realPath } from './paths.ts';
import { type Denial, Denied } from './policy/denial.ts';
import { removeTree } from './remove-tree.ts';

/** What jobs need of the machine that they run on. */
export interface Machine {
  readonly searchPath: SearchPath;
  /** Where the paths of the configuration led when the server started. */
  readonly repositories: ReadonlyMap<string, string>;
  readonly identities: Identities;
  readonly bubblewrap: Bubblewrap;
  readonly etc: Etc;
  readonly devices: Devices;
  /** Throws a denial where there is none. */
  readonly launcher: string;
  /** Who a job is, in its jail. */
  readonly user: { readonly id: number; readonly group: number };
  /** The server's data. */
  readonly folder: string;
  /** Where jobs have their folders. */
  readonly jobs: string;
}

/** `folder`: the server's data, of which `jobs` and `jail` are taken and emptied. */
export async function openMachine(folder: string, repositories: readonly string[]): Promise<Machine> {
  await mkdir(folder, { recursive: true });
  const data = (await realPath(folder)) ?? folder;
  const roots = new Map<string, string>();
  for (const path of repositories) roots.set(path, (await realPath(path)) ?? resolve(path));
  const searchPath = await SearchPath.from(process.env.PATH ?? '', [...roots.values()]);
  const user = jailUser();
  const [jobs, jail] = [join(data, 'jobs'), join(data, 'jail')];
  for (const path of [jobs, jail]) {
    await removeTree(path);
    await mkdir(path, { mode: 0o700 });
  }
  const launcher = await copyLauncher(join(jail, 'launch'));
  return {
    searchPath,
    repositories: roots,
    identities: new Identities(probeEnvironment(searchPath)),
    bubblewrap: new Bubblewrap(searchPath),
    etc: new Etc(join(jail, 'etc'), user),
    devices: new Devices(join(jail, 'dev')),
    get launcher() {
      if (launcher === null) throw new Denied(noLauncher);
      return launcher;
    },
    user,
    folder: data,
    jobs,
  };
}

/** A copy: where this project is itself the repository, a job can change what was built in it. */
async function copyLauncher(path: string): Promise<string | null> {
  try {
    await copyFile(built('job-launcher'), path);
    await chmod(path, 0o700);
    return path;
  } catch {
    return null;
  }
}

const noLauncher: Denial = {
  rule: 'sandbox',
  asked: process.platform,
  allowed: 'linux',
  reason: 'Jobs run on Linux only, and what starts them must be built: npm run setup',
};

/** Root is an ordinary user in a jail. Whatever the number is inside, files belong to whoever runs the server. */
function jailUser(): Machine['user'] {
  const [id, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  return { id: id === 0 ? 1000 : id, group: group === 0 ? 1000 : group };
}
