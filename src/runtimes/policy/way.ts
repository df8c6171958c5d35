import { dirname } from 'node:path';
import { isInside } from '../paths.ts';
import { Denied } from './denial.ts';
import { type OpenFolder, openEntry } from './folder.ts';
import { closeAll } from './writable.ts';

/**
 * The folders between what a job may write and `hidden`, which is inside of it. They are mounted on themselves, because
 * what is mounted cannot be moved: else a job moves one of them, and the next job finds what was hidden at another path.
 */
export async function openWayTo(hidden: string, writable: readonly OpenFolder[]): Promise<OpenFolder[]> {
  const around = writable.find(({ path }) => path !== hidden && isInside(path, hidden));
  const opened: OpenFolder[] = [];
  if (!around) return opened;
  for (let path = dirname(hidden); path !== around.path; path = dirname(path)) {
    const folder = await openEntry(path, 'folder');
    if (folder) opened.push(folder);
    if (folder?.path === path) continue;
    await closeAll(opened);
    const reason = `The data folder of the server, '${hidden}', is in the repository, and '${path}' is not what it was`;
    throw new Denied({ rule: 'repository', asked: path, allowed: null, reason });
  }
  return opened;
}
