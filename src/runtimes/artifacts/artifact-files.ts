import { mkdirSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ArtifactStore } from '../../store/artifacts.ts';
import type { StreamName } from './types.ts';

const perTurn = 100;

/** The folder with the bytes. A file without an artifact in the store is nobody's. */
export class ArtifactFiles {
  readonly #folder: string;
  /** What was there before anything was written here. */
  #leftovers: readonly string[];

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#folder = folder;
    this.#leftovers = readdirSync(folder);
  }

  path(file: string, stream: StreamName): string {
    return join(this.#folder, `${file}.${stream}.gz`);
  }

  async remove(files: readonly string[]): Promise<void> {
    for (const file of files) {
      for (const stream of ['stdout', 'stderr'] as const) await rm(this.path(file, stream), { force: true });
    }
  }

  /** Takes away what a server that died was writing, or had not come to remove. */
  async removeLeftovers(store: ArtifactStore): Promise<void> {
    for (let at = 0; at < this.#leftovers.length; at += perTurn) {
      const names = this.#leftovers.slice(at, at + perTurn);
      const unknown = new Set(await store.unknownFiles(names.map(fileOf)));
      for (const name of names) {
        const leftover = name.endsWith('.part') || unknown.has(fileOf(name));
        if (leftover) await rm(join(this.#folder, name), { force: true, recursive: true });
      }
      await nextTurn();
    }
    this.#leftovers = [];
  }
}

const fileOf = (name: string) => name.split('.')[0] ?? name;
