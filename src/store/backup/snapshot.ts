import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { CayError } from '../../errors.ts';
import { openForReading } from '../sqlite/database.ts';
import { integer, type Row, text } from '../sqlite/rows.ts';
import { schemaVersion, versionOf } from '../sqlite/schema.ts';
import type { Manifest } from './manifest.ts';

/** What the database knew at one moment, with the names of the files that belong to it. */
export interface Contents
  extends Pick<Manifest, 'schema_version' | 'executions' | 'heaps' | 'audit_records' | 'engines'> {
  readonly artifacts: number;
  /** Such as `heaps/0123`. */
  readonly files: readonly string[];
}

const pagesPerStep = 5000;

/**
 * The database as it is at one moment, also while a server writes to it: all steps of the copy see the transaction that
 * was open before the first. The copy is one file, without a log beside it.
 */
export async function copyDatabase(folder: string, target: string, signal: AbortSignal): Promise<void> {
  const database = openForReading(folder);
  try {
    database.exec('BEGIN');
    versionOf(database); // a read: here the moment is
    const progress = () => signal.throwIfAborted();
    await backup(database, target, { rate: pagesPerStep, progress });
  } finally {
    database.close();
  }
  signal.throwIfAborted();
  const copy = new DatabaseSync(target);
  copy.exec('PRAGMA journal_mode = DELETE');
  copy.close();
}

/** What is in a copy. A database of an older version is read as it is. */
export function contentsOf(file: string): Contents {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const version = versionOf(database);
    if (version > schemaVersion) throw newerSchema(version);
    const has = (table: string) =>
      database.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(table) !== undefined;
    const count = (table: string) =>
      has(table) ? integer(database.prepare(`SELECT count(*) AS n FROM ${table}`).get() ?? {}, 'n') : 0;
    const rows = (table: string, query: string): Row[] => (has(table) ? database.prepare(query).all() : []);
    const heapFiles = rows('heaps', 'SELECT file FROM heaps WHERE file IS NOT NULL');
    const streams = rows(
      'artifacts',
      `SELECT a.file || '.' || s.name || '.gz' AS file FROM artifacts a JOIN artifact_streams s ON s.artifact = a.id
       WHERE s.head_bytes + s.tail_bytes > 0`,
    );
    const engines = rows(
      'engines',
      `SELECT fingerprint, v8, (SELECT count(*) FROM heaps h WHERE h.engine = e.id) AS heaps FROM engines e ORDER BY id`,
    );
    return {
      schema_version: version,
      executions: count('executions'),
      heaps: count('heaps'),
      artifacts: count('artifacts'),
      audit_records: count('audit'),
      engines: engines.map((row) => ({
        fingerprint: text(row, 'fingerprint'),
        v8: text(row, 'v8'),
        heaps: integer(row, 'heaps'),
      })),
      files: [
        ...heapFiles.map((row) => join('heaps', text(row, 'file'))),
        ...streams.map((row) => join('artifacts', text(row, 'file'))),
      ],
    };
  } finally {
    database.close();
  }
}

export function newerSchema(version: number): CayError {
  const message = `The data was written by a newer Cay (schema version ${version}; this Cay knows ${schemaVersion}): update Cay`;
  return new CayError('newer_schema', message);
}

/** Those of the files that the database still has, now. */
export function stillKnown(folder: string, files: readonly string[]): string[] {
  const database = openForReading(folder);
  try {
    const heap = database.prepare('SELECT 1 FROM heaps WHERE file = ?');
    const artifact = files.some(isArtifact) ? database.prepare('SELECT 1 FROM artifacts WHERE file = ?') : null;
    return files.filter((file) => {
      const [, name = ''] = file.split('/');
      return (isArtifact(file) ? artifact?.get(name.split('.')[0] ?? '') : heap.get(name)) !== undefined;
    });
  } finally {
    database.close();
  }
}

const isArtifact = (file: string) => file.startsWith('artifacts/');
