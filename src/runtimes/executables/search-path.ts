import { statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { isInside, realPath, realPathNow } from '../paths.ts';

/** Where executables are looked for: the owner's PATH, without what npm put before it and what a job could write to. */
export class SearchPath {
  readonly #folders: readonly string[];
  readonly #repositories: readonly string[];

  private constructor(folders: readonly string[], repositories: readonly string[]) {
    this.#folders = folders;
    this.#repositories = repositories;
  }

  /** `repositories`: their real paths. */
  static async from(path: string, repositories: readonly string[]): Promise<SearchPath> {
    const folders = path.split(delimiter).filter((folder) => isAbsolute(folder) && !isOfNpm(folder));
    const real = await Promise.all(folders.map(realPath));
    const isTaken = (path: string | null | undefined) =>
      path && !isOfCay(path) && !repositories.some((root) => isInside(root, path));
    return new SearchPath([...new Set(folders.filter((_, index) => isTaken(real[index])))], repositories);
  }

  get folders(): readonly string[] {
    return this.#folders;
  }

  /** Whether no job can write it, as far as its path says. */
  isOutside(path: string): boolean {
    return !this.#repositories.some((root) => isInside(root, path));
  }

  /** The executable files of that name, in order. A name is no path. */
  *all(name: string): Generator<string> {
    if (name === '' || name.includes('/')) return;
    // Cay brings its own Node; those on the PATH come before it.
    const own = name === 'node' ? [dirname(process.execPath)] : [];
    for (const folder of [...this.#folders, ...own]) {
      const path = join(folder, name);
      if (this.isSafe(path)) yield path;
    }
  }

  /** Whether it is an executable file that no job can have put there or can change. */
  isSafe(path: string): boolean {
    const info = statSync(path, { throwIfNoEntry: false });
    if (!info?.isFile() || (info.mode & 0o111) === 0) return false;
    const real = realPathNow(path);
    return real !== null && this.isOutside(real) && this.isOutside(path);
  }
}

/** `npm start` and `npx` put such folders before the PATH; what runs jobs must not depend on who started the server. */
function isOfNpm(folder: string): boolean {
  const name = basename(folder);
  return name === 'node-gyp-bin' || (name === '.bin' && basename(dirname(folder)) === 'node_modules');
}

/** The packages that Cay was installed with, its own Node among them. */
function isOfCay(real: string): boolean {
  const packages = /^.*\/node_modules(?=\/)/.exec(process.execPath)?.[0];
  return packages !== undefined && isInside(packages, real);
}
