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

/**
 * Device nodes for the jobs of a server that root runs. Such a job owns the machine's own ones, and could take them away
 * from all others by changing their mode; mounted read-only, bubblewrap makes them useless.
 */
export class Devices {
  readonly #folder: string;
  #made: Promise<readonly DeviceMount[]> | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** None where the machine's own do no harm, or where others cannot be had. Only the first call takes time. */
  mounts(): Promise<readonly DeviceMount[]> {
    this.#made ??= process.getuid?.() === 0 ? copies(this.#folder).catch(() => []) : Promise.resolve([]);
    return this.#made;
  }
}

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
