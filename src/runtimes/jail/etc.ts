import { constants, statSync } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { languages } from '../languages/table.ts';

/** What programs look for in /etc that is nobody's secret, besides the settings of the languages. */
const names = [
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'alternatives',
  'nsswitch.conf',
  'host.conf',
  'gai.conf',
  'localtime',
  'timezone',
  'locale.alias',
  'protocols',
  'services',
  'networks',
  'mime.types',
  'magic',
  'os-release',
  'debian_version',
  'ca-certificates',
  'crypto-policies',
  'bash.bashrc',
  'inputrc',
  'terminfo',
  'shells',
];
const certificates = ['ssl/certs', 'ssl/openssl.cnf', 'pki/tls/certs', 'pki/tls/cert.pem', 'pki/ca-trust/extracted'];

/** Which, when they change, make a new copy necessary: what is linked where, and what was installed. */
const signs = ['', 'alternatives', 'ld.so.cache'];

/** The /etc of jails: a copy, because mounting each of its files would take longer than most jobs do. */
export class Etc {
  readonly #folder: string;
  readonly #user: { readonly id: number; readonly group: number };
  #made: { readonly state: string; readonly path: Promise<string> } | null = null;
  #count = 0;

  constructor(folder: string, user: { readonly id: number; readonly group: number }) {
    this.#folder = folder;
    this.#user = user;
  }

  /** A copy that is never changed once it is handed out. Only the first one takes time. */
  current(): Promise<string> {
    const state = signs.map((name) => statSync(join('/etc', name), { throwIfNoEntry: false })?.mtimeMs).join();
    if (this.#made?.state === state) return this.#made.path;
    const path = this.#make(join(this.#folder, `${this.#count++}`));
    path.catch(() => {
      this.#made = null;
    });
    this.#made = { state, path };
    return path;
  }

  async #make(folder: string): Promise<string> {
    for (const path of [folder, join(folder, 'ssl'), join(folder, 'pki/tls'), join(folder, 'pki/ca-trust')]) {
      await mkdir(path, { recursive: true });
    }
    const prefixes = Object.values(languages).flatMap(({ etc }) => etc ?? []);
    const ofLanguages = (await readdir('/etc')).filter((name) => prefixes.some((prefix) => name.startsWith(prefix)));
    const wanted = [...names, ...certificates, ...ofLanguages];
    await Promise.all(wanted.map((name) => copy(join('/etc', name), join(folder, name))));
    const { id, group } = this.#user;
    await writeFile(join(folder, 'passwd'), `job:x:${id}:${group}:job:/home/job:/bin/bash\n`);
    await writeFile(join(folder, 'group'), `job:x:${group}:\n`);
    await writeFile(join(folder, 'hosts'), '127.0.0.1 localhost\n::1 localhost\n');
    await writeFile(join(folder, 'hostname'), 'job\n');
    await writeFile(join(folder, 'resolv.conf'), ''); // where the machine's own is mounted, when there is a network
    return folder;
  }
}

/** What is not there is left out; so is what not everybody may read, which as root we could. */
async function copy(from: string, to: string): Promise<void> {
  const info = await lstat(from).catch(() => null);
  if (!info) return;
  if (info.isSymbolicLink()) return symlink(await readlink(from), to);
  if ((info.mode & constants.S_IROTH) === 0) return;
  if (info.isFile()) return copyFile(from, to);
  if (!info.isDirectory()) return;
  await mkdir(to);
  const inside = await readdir(from).catch(() => []);
  await Promise.all(inside.map((name) => copy(join(from, name), join(to, name))));
}
