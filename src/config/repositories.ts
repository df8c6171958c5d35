import { statSync } from 'node:fs';
import { absolute } from './file.ts';
import type { Placed } from './placed.ts';
import type { Settings } from './schema.ts';

/** What the owner should hear of repositories that are not there. The start goes on: a disk may be mounted later. */
export function missingRepositories({ repos, runtime }: Pick<Settings, 'repos' | 'runtime'>, placed: Placed): string[] {
  if (!runtime.enabled) return [];
  return Object.entries(repos).flatMap(([name, path]) => {
    return isFolder(absolute(path))
      ? []
      : [`${placed(`repos.${name}`)}: ${path} is not a folder; jobs in it are denied until it is`];
  });
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
