import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** The folder with the heaps that are too large for the database. A file in it is whole, or has a name nobody reads. */
export class HeapFiles {
  readonly #folder: string;
  /** In the names of this process's files, which are not swept: their rows may still be on the way. */
  readonly #run = randomBytes(6).toString('hex');
  #next = 1;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    syncFolder(dirname(folder));
    this.#folder = folder;
  }

  /** On disk, synced, when it returns; its name. */
  write(key: string, packed: Uint8Array): string {
    const name = `${key.slice(0, 16)}-${this.#run}-${this.#next++}`;
    this.#place(name, packed);
    return name;
  }

  /** Beside a file that many heaps need: the same once more. */
  writeCopy(name: string, packed: Uint8Array): void {
    this.#place(copyOf(name), packed);
  }

  read(name: string): Uint8Array {
    return readFileSync(join(this.#folder, name));
  }

  readCopy(name: string): Uint8Array {
    return this.read(copyOf(name));
  }

  replace(name: string, packed: Uint8Array): void {
    this.#place(name, packed);
  }

  /** Takes away what a process that died left behind: parts of files, and files whose row was never written. */
  async sweep(isKept: (name: string) => boolean): Promise<void> {
    let looked = 0;
    for (const name of await readdir(this.#folder)) {
      if (++looked % 100 === 0) await nextTurn();
      if (name.includes(`-${this.#run}-`)) continue;
      const kept = !name.endsWith(part) && isKept(name.endsWith(copy) ? name.slice(0, -copy.length) : name);
      if (!kept) await rm(join(this.#folder, name), { force: true });
    }
  }

  #place(name: string, packed: Uint8Array): void {
    const path = join(this.#folder, name);
    const beside = `${path}-${this.#run}-${part}`;
    try {
      const file = openSync(beside, 'w', 0o600);
      try {
        for (let at = 0; at < packed.length; ) at += writeSync(file, packed, at);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(beside, path);
    } catch (error) {
      rmSync(beside, { force: true });
      throw error;
    }
    syncFolder(this.#folder);
  }
}

const part = '.part';
const copy = '.copy';
const copyOf = (name: string) => `${name}${copy}`;

export async function removeHeapFile(folder: string, name: string): Promise<void> {
  for (const each of [name, copyOf(name)]) await rm(join(folder, each), { force: true });
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
