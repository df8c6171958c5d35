import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Config, loadConfig } from '../../config/load.ts';
import { inspectStore, type StoreInspection } from '../../store/sqlite/inspect.ts';
import { type FolderFlags, folderSources } from '../folder-options.ts';
import { notedServer } from '../server-file.ts';
import { fail, megabytes, ok, type Row, reasonOf, warn } from './row.ts';

/** The settings, and the folder in which everything durable is. */
export async function storeRows(flags: FolderFlags): Promise<Row[]> {
  let config: Config;
  try {
    config = loadConfig(folderSources(flags));
  } catch (error) {
    return [fail('configuration', reasonOf(error), 'correct it: `cay serve` does not start with it')];
  }
  const { data_dir: folder, warnings } = config;
  const settings = warnings.length === 0 ? ok('configuration', 'valid') : unknownKeys(warnings);
  const existing = await nearestFolder(folder);
  return [settings, await folderRow(folder, existing), await diskRow(existing), storeRow(folder)];
}

function unknownKeys(warnings: readonly string[]): Row {
  return warn('configuration', warnings.join('; '), 'correct it, or take it out');
}

/** The folder itself, or what is there of the way to it. */
export async function nearestFolder(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    const found = await access(at).then(
      () => true,
      () => false,
    );
    if (found || at === dirname(at)) return at;
  }
}

async function folderRow(folder: string, existing: string): Promise<Row> {
  const name = 'data folder';
  try {
    await access(`${existing}/`, constants.W_OK | constants.X_OK); // the slash: a file will not do
  } catch (error) {
    return fail(name, `${folder} cannot be written: ${reasonOf(error)}`, 'give it to this user, or use --data-dir');
  }
  if (existing !== folder) return ok(name, `${folder}, made at the first start`);
  const { mode } = await stat(folder);
  if ((mode & 0o077) === 0) return ok(name, folder);
  return warn(name, `${folder} is open to others on this machine`, `chmod 700 ${folder}`);
}

const leastDisk = 2 ** 30;

async function diskRow(existing: string): Promise<Row> {
  const { bavail, bsize } = await statfs(existing);
  const detail = `${megabytes(bavail * bsize)} free`;
  if (bavail * bsize >= leastDisk) return ok('disk', detail);
  return warn('disk', detail, 'make room, or let old heaps go with --retain-days or --retain-gb');
}

function storeRow(folder: string): Row {
  const name = 'store';
  let found: StoreInspection | null;
  try {
    found = inspectStore(folder);
  } catch (error) {
    return fail(name, reasonOf(error), 'restore the folder from a copy, or use another with --data-dir');
  }
  if (!found) return ok(name, 'none yet');
  const { schemaVersion, ownSchemaVersion, statistics, databaseBytes, inUse } = found;
  const version = `schema version ${schemaVersion}`;
  if (schemaVersion > ownSchemaVersion) {
    return fail(name, `${version}; this Cay knows ${ownSchemaVersion}`, 'update Cay, or use another --data-dir');
  }
  const counts = statistics
    ? `, ${statistics.executions} executions, ${statistics.heaps} heaps of ${megabytes(statistics.heapBytes)}`
    : `, taken over to ${ownSchemaVersion} at the next start`;
  return ok(
    name,
    `${version}${counts}, database ${megabytes(databaseBytes)}${inUse ? `, in use by ${user(folder)}` : ''}`,
  );
}

function user(folder: string): string {
  const url = notedServer(folder);
  return url === null ? 'a server without a port, or a command' : `the server at ${url}`;
}
