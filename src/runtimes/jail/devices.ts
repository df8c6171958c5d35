import { execFile } from 'node:child_process';
import { chown, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const names = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];
const nobody = 65534;

export interface DeviceMount {
  readonly from: string;
  readonly to: string;
}

export interface OwnDevices {
  /** None where the machine's own do no harm, or where others cannot be had. */
  readonly mounts: readonly DeviceMount[];
  /** Why they cannot be had, where they are needed. */
  readonly problem: string | null;
}

/**
 * Device nodes for the jobs of a server that root runs. Such a job owns the machine's own ones, and could take them away
 * from all others by changing their mode; mounted read-only, bubblewrap makes them useless.
 */
export class Devices {
  readonly #folder: string;
  #made: Promise<OwnDevices> | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Only the first call takes time. */
  make(): Promise<OwnDevices> {
    this.#made ??= isRoot() ? copies(this.#folder).then(made, notMade) : Promise.resolve(made([]));
    return this.#made;
  }
}

const isRoot = () => process.getuid?.() === 0;
const made = (mounts: readonly DeviceMount[]): OwnDevices => ({ mounts, problem: null });
const notMade = (error: Error): OwnDevices => ({ mounts: [], problem: error.message.trim() });

async function copies(folder: string): Promise<DeviceMount[]> {
  await mkdir(folder, { recursive: true });
  const own = names.map((name) => join('/dev', name));
  await promisify(execFile)('cp', ['-R', '--preserve=mode', ...own, folder]);
  const made = names.map((name) => ({ from: join(folder, name), to: join('/dev', name) }));
  for (const { from } of made) await chown(from, nobody, nobody);
  // A file system may be mounted so that devices on it cannot be opened.
  await (await open(join(folder, 'zero'))).close();
  return made;
}
