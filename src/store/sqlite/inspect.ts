import { existsSync, statSync } from 'node:fs';
import { CayError } from '../../errors.ts';
import type { StoreStatistics } from '../types.ts';
import { databaseFile, lockFolder, openForReading } from './database.ts';
import { reads } from './reads.ts';
import { schemaVersion, versionOf } from './schema.ts';

export interface StoreInspection {
  /** What is there, and what this Cay writes. A newer one cannot be opened, an older one is taken over. */
  readonly schemaVersion: number;
  readonly ownSchemaVersion: number;
  /** Null when the schema is not ours to read. */
  readonly statistics: StoreStatistics | null;
  /** What the database takes on disk, without the heaps that have files of their own. */
  readonly databaseBytes: number;
  /** Whether a server has it open now. */
  readonly inUse: boolean;
}

/** Looks at the store in a folder without opening or changing it; null when there is none yet. */
export function inspectStore(folder: string): StoreInspection | null {
  if (!existsSync(databaseFile(folder))) return null;
  const database = openForReading(folder);
  try {
    const version = versionOf(database);
    return {
      schemaVersion: version,
      ownSchemaVersion: schemaVersion,
      statistics: version === schemaVersion ? reads(database).statistics() : null,
      databaseBytes: sizeOf(databaseFile(folder)) + sizeOf(`${databaseFile(folder)}-wal`),
      inUse: isInUse(folder),
    };
  } finally {
    database.close();
  }
}

function isInUse(folder: string): boolean {
  try {
    lockFolder(folder).close();
    return false;
  } catch (error) {
    if (error instanceof CayError && error.code === 'folder_in_use') return true;
    throw error;
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
