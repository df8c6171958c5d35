import { glob, mkdir } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { exists, isInside } from '../paths.ts';
import { Denied } from './denial.ts';
import { isRoot, type OpenFolder, openEntry } from './folder.ts';

const isPattern = (entry: string) => /[*?[\]{}]/.test(entry);
const most = 256;

/** What of a repository a job may write, held open, none inside of another. Folders that the policy names are made. */
export async function openWritable(root: OpenFolder, entries: readonly string[]): Promise<OpenFolder[]> {
  const opened: OpenFolder[] = [];
  try {
    for (const name of await namesOf(root, entries)) {
      if (opened.length === most) throw deny(name, root, `more than ${most} places`);
      opened.push(await openInside(root, name));
    }
  } catch (error) {
    await closeAll(opened.filter((folder) => folder !== root));
    throw error;
  }
  return outermost(opened, root);
}

/**
 * What is in a folder that may be written needs no mount of its own. It must have none either: a job that is running could
 * put a link there for the moment in which it is mounted.
 */
async function outermost(opened: readonly OpenFolder[], root: OpenFolder): Promise<OpenFolder[]> {
  const kept: OpenFolder[] = [];
  const inner: OpenFolder[] = [];
  for (const folder of opened.toSorted((a, b) => a.path.length - b.path.length)) {
    (kept.some(({ path }) => isInside(path, folder.path)) ? inner : kept).push(folder);
  }
  await closeAll(inner.filter((folder) => folder !== root));
  return kept;
}

export async function closeAll(folders: readonly OpenFolder[]): Promise<void> {
  await Promise.all(folders.map(({ handle }) => handle.close().catch(() => {})));
}

async function namesOf(root: OpenFolder, entries: readonly string[]): Promise<Set<string>> {
  const names = new Set<string>();
  for (const entry of entries) {
    if (isAbsolute(entry) || entry.split('/').includes('..')) throw deny(entry, root, 'not a path below it');
    if (isPattern(entry)) for await (const name of glob(entry, { cwd: root.path })) names.add(name);
    else names.add(entry);
  }
  return names;
}

async function openInside(root: OpenFolder, name: string): Promise<OpenFolder> {
  if (isRoot(name)) return root;
  if (!(await exists(`${root.path}/${name}`))) await makeFolder(root, name);
  const entry = await openEntry(`${root.path}/${name}`, 'any');
  if (entry === null) throw deny(name, root, 'not there');
  if (isInside(root.path, entry.path)) return entry;
  await entry.handle.close();
  throw deny(name, root, 'outside of it');
}

/** One step at a time, each from the folder before, so that no link on the way can lead it elsewhere. */
async function makeFolder(root: OpenFolder, name: string): Promise<void> {
  const held: OpenFolder[] = [];
  try {
    let at = root;
    for (const step of name.split('/').filter((part) => part !== '' && part !== '.')) {
      const path = `/proc/self/fd/${at.handle.fd}/${step}`;
      await mkdir(path).catch(() => {});
      const next = await openEntry(path, 'folder');
      if (next === null) return;
      held.push(next);
      if (!isInside(root.path, next.path)) return;
      at = next;
    }
  } finally {
    await closeAll(held);
  }
}

function deny(asked: string, root: OpenFolder, why: string): Denied {
  const reason = `runtime.writable has '${asked}', which is ${why} in the repository`;
  return new Denied({ rule: 'writable', asked, allowed: root.path, reason });
}
