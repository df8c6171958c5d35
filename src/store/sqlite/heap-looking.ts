import { existsSync } from 'node:fs';
import { CayError } from '../../errors.ts';
import type { ExecutionStore, HeapStore, SessionStore } from '../types.ts';
import { heapCodec } from './codec.ts';
import { databaseFile, heapFolder, openForReading } from './database.ts';
import { HeapCache } from './heap-cache.ts';
import { HeapFiles } from './heap-files.ts';
import { rebuild } from './heap-reader.ts';
import { heapRows } from './heap-rows.ts';
import { reads } from './reads.ts';
import { schemaVersion, versionOf } from './schema.ts';

/** What it takes to find a heap and to read it. */
export interface HeapLooking {
  readonly heaps: Pick<HeapStore, 'get' | 'info' | 'withPrefix'>;
  readonly executions: Pick<ExecutionStore, 'summary'>;
  readonly sessions: Pick<SessionStore, 'latestHeap'>;
  close(): void;
}

/** The heaps in a folder, for reading, also while a server has it. Null when there are none yet. */
export function openHeapsForReading(folder: string, codec: string): HeapLooking | null {
  if (!existsSync(databaseFile(folder))) return null;
  const database = openForReading(folder);
  try {
    if (versionOf(database) !== schemaVersion) throw otherVersion(folder, versionOf(database));
    const rows = heapRows(database);
    const read = reads(database);
    const files = new HeapFiles(heapFolder(folder));
    const parts = { rows, files, cache: new HeapCache(0), codec: heapCodec(codec), reference: null };
    return {
      heaps: {
        get: async (key) => {
          const row = rows.find(key);
          return row && { info: row.info, raw: rebuild(parts, row), done: () => {} };
        },
        info: async (key) => rows.find(key)?.info ?? null,
        withPrefix: async (prefix, limit) => rows.withPrefix(prefix, limit),
      },
      executions: { summary: async (id) => read.summary(id) },
      sessions: { latestHeap: async (session) => read.latestHeap(session) },
      close: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

function otherVersion(folder: string, version: number): CayError {
  const older = version < schemaVersion;
  const what = older ? 'an older Cay: start a server on it once' : 'a newer Cay: update Cay';
  const message = `The data folder ${folder} was written by ${what} (schema version ${version}; this Cay has ${schemaVersion})`;
  return new CayError(older ? 'older_schema' : 'newer_schema', message);
}
