import { chmod, copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CayError } from '../errors.ts';
import { Identities } from './executables/identity.ts';
import { SearchPath } from './executables/search-path.ts';
import { Bubblewrap } from './jail/bubblewrap.ts';
import { Etc } from './jail/etc.ts';
import { realPath } from './paths.ts';

/** What jobs need of the machine that they run on. */
export interface Machine {
  readonly searchPath: SearchPath;
  readonly identities: Identities;
  readonly bubblewrap: Bubblewrap;
  readonly etc: Etc;
  readonly launcher: string;
  /** Who a job is, in its jail. */
  readonly user: { readonly id: number; readonly group: number };
  /** The server's data. */
  readonly folder: string;
  /** Where jobs have their folders. */
  readonly jobs: string;
}

const builtLauncher = fileURLToPath(new URL('../../build/job-launcher', import.meta.url));

/** `folder`: the server's data, of which `jobs` and `jail` are taken and emptied. */
export async function openMachine(folder: string, repositories: readonly string[]): Promise<Machine> {
  await mkdir(folder, { recursive: true });
  const data = (await realPath(folder)) ?? folder;
  const roots = (await Promise.all(repositories.map(realPath))).filter((root) => root !== null);
  const searchPath = await SearchPath.from(process.env.PATH ?? '', roots);
  const user = jailUser();
  const [jobs, jail] = [join(data, 'jobs'), join(data, 'jail')];
  for (const path of [jobs, jail]) {
    await rm(path, { recursive: true, force: true });
    await mkdir(path, { mode: 0o700 });
  }
  return {
    searchPath,
    identities: new Identities(),
    bubblewrap: new Bubblewrap(searchPath),
    etc: new Etc(join(jail, 'etc'), user),
    launcher: await copyLauncher(join(jail, 'launch')),
    user,
    folder: data,
    jobs,
  };
}

/** A copy: where this project is itself the repository, a job can change what was built in it. */
async function copyLauncher(path: string): Promise<string> {
  await copyFile(builtLauncher, path).catch((cause: unknown) => {
    throw new CayError('not_built', 'Cay is not set up yet: run `npm run setup`', { cause });
  });
  await chmod(path, 0o700);
  return path;
}

/** Root is an ordinary user in a jail. Whatever the number is inside, files belong to whoever runs the server. */
function jailUser(): Machine['user'] {
  const [id, group] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  return { id: id === 0 ? 1000 : id, group: group === 0 ? 1000 : group };
}
