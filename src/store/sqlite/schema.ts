import type { DatabaseSync } from 'node:sqlite';
import { CayError } from '../../errors.ts';
import { integer } from './rows.ts';

/** Step n leads from version n to n + 1. Appended to, never changed: there are databases at each of these versions. */
export const migrations: readonly string[] = [
  `
  CREATE TABLE executions (
    sequence INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    heap TEXT,
    session TEXT,
    tags TEXT,
    heap_mb REAL NOT NULL,
    timeout_ms REAL NOT NULL,
    submitted_at REAL NOT NULL,
    status TEXT NOT NULL,
    started INTEGER NOT NULL,
    input_heap TEXT,
    heap_restored INTEGER,
    output_heap TEXT,
    completed_at REAL,
    duration_ms REAL,
    heap_error TEXT,
    error TEXT,
    result TEXT
  ) STRICT;
  CREATE INDEX executions_by_status ON executions (status, sequence);

  -- Apart, so that a change of status does not write them again.
  CREATE TABLE sources (execution INTEGER PRIMARY KEY REFERENCES executions, code TEXT NOT NULL, input TEXT) STRICT;

  CREATE TABLE output (
    id INTEGER PRIMARY KEY,
    execution INTEGER NOT NULL REFERENCES executions,
    start_byte INTEGER NOT NULL,
    start_line INTEGER NOT NULL,
    bytes BLOB NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX output_by_byte ON output (execution, start_byte);
  CREATE INDEX output_by_line ON output (execution, start_line, start_byte);

  CREATE TABLE engines (id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL, v8 TEXT NOT NULL, UNIQUE (fingerprint, v8)) STRICT;

  -- depth: 0 a keyframe, 1 an anchor (a delta from a keyframe), 2 to 4 a leaf (a delta from an anchor or a leaf). steps: a leaf's
  -- distance from its anchor. fresh: a keyframe that heaps of runs without a parent are stored against.
  CREATE TABLE heaps (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key BLOB NOT NULL UNIQUE,
    base INTEGER REFERENCES heaps,
    depth INTEGER NOT NULL,
    steps INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    stored_bytes INTEGER NOT NULL,
    engine INTEGER NOT NULL REFERENCES engines,
    created_at REAL NOT NULL,
    fresh INTEGER NOT NULL,
    file TEXT,
    packed BLOB
  ) STRICT;
  CREATE INDEX heaps_by_base ON heaps (base) WHERE base IS NOT NULL;
  CREATE INDEX heaps_by_file ON heaps (file) WHERE file IS NOT NULL;
  CREATE INDEX heaps_fresh ON heaps (engine, id) WHERE fresh = 1;

  CREATE TABLE tags (
    heap INTEGER NOT NULL REFERENCES heaps,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (heap, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tags_by_value ON tags (key, value, heap);

  CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    entries INTEGER NOT NULL,
    latest_heap TEXT
  ) STRICT;
  CREATE TABLE session_entries (
    session INTEGER NOT NULL REFERENCES sessions,
    position INTEGER NOT NULL,
    execution INTEGER NOT NULL REFERENCES executions,
    PRIMARY KEY (session, position)
  ) STRICT, WITHOUT ROWID;

  -- Kept by triggers: counting would cost in proportion to what has piled up.
  CREATE TABLE totals (heaps INTEGER NOT NULL, heap_bytes INTEGER NOT NULL, output_bytes INTEGER NOT NULL) STRICT;
  INSERT INTO totals VALUES (0, 0, 0);
  CREATE TRIGGER heap_added AFTER INSERT ON heaps BEGIN
    UPDATE totals SET heaps = heaps + 1, heap_bytes = heap_bytes + new.stored_bytes;
  END;
  CREATE TRIGGER heap_changed AFTER UPDATE OF stored_bytes ON heaps BEGIN
    UPDATE totals SET heap_bytes = heap_bytes + new.stored_bytes - old.stored_bytes;
  END;
  CREATE TRIGGER heap_removed AFTER DELETE ON heaps BEGIN
    UPDATE totals SET heaps = heaps - 1, heap_bytes = heap_bytes - old.stored_bytes;
  END;
  CREATE TRIGGER output_added AFTER INSERT ON output BEGIN
    UPDATE totals SET output_bytes = output_bytes + length(new.bytes);
  END;
  `,
  // How much output there is, known without reading any. Outputs from before have no row.
  `
  CREATE TABLE output_totals (
    execution INTEGER PRIMARY KEY REFERENCES executions,
    bytes INTEGER NOT NULL,
    lines INTEGER NOT NULL
  ) STRICT;
  `,
  // The audit log, with its head and the jobs that are under way apart; and what is known of the outputs of jobs.
  `
  CREATE TABLE audit (sequence INTEGER PRIMARY KEY, text TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
  CREATE TABLE audit_head (id INTEGER PRIMARY KEY, records INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;
  CREATE TABLE audit_open (job TEXT PRIMARY KEY, sequence INTEGER NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE artifacts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    handle TEXT NOT NULL UNIQUE,
    repo TEXT NOT NULL,
    file TEXT NOT NULL UNIQUE,
    created_at REAL NOT NULL,
    expires_at REAL NOT NULL,
    stored_bytes INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX artifacts_by_expiry ON artifacts (expires_at);
  CREATE TABLE artifact_streams (
    artifact INTEGER NOT NULL REFERENCES artifacts,
    name TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    head_bytes INTEGER NOT NULL,
    tail_bytes INTEGER NOT NULL,
    tail_line INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    PRIMARY KEY (artifact, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE artifact_totals (bytes INTEGER NOT NULL) STRICT;
  INSERT INTO artifact_totals VALUES (0);
  CREATE TRIGGER artifact_added AFTER INSERT ON artifacts BEGIN
    UPDATE artifact_totals SET bytes = bytes + new.stored_bytes;
  END;
  CREATE TRIGGER artifact_removed AFTER DELETE ON artifacts BEGIN
    UPDATE artifact_totals SET bytes = bytes - old.stored_bytes;
  END;
  `,
  // The tool calls that executions have made.
  `
  CREATE TABLE calls (
    execution INTEGER NOT NULL REFERENCES executions,
    position INTEGER NOT NULL,
    server TEXT NOT NULL,
    tool TEXT NOT NULL,
    arguments TEXT NOT NULL,
    argument_bytes INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    code TEXT,
    message TEXT,
    result TEXT,
    result_bytes INTEGER,
    started_at REAL NOT NULL,
    duration_ms REAL
  ) STRICT;
  CREATE UNIQUE INDEX calls_by_position ON calls (execution, position);
  `,
];

/** The version that this Cay writes. */
export const schemaVersion = migrations.length;

export function versionOf(database: DatabaseSync): number {
  const row = database.prepare('SELECT version FROM schema').get();
  return row ? integer(row, 'version') : 0;
}

/** Brings the database to the newest version, a step and a transaction at a time. */
export function migrate(database: DatabaseSync, steps: readonly string[] = migrations): void {
  database.exec('CREATE TABLE IF NOT EXISTS schema (version INTEGER NOT NULL) STRICT');
  const version = versionOf(database);
  if (version > steps.length) {
    const ours = `this Cay knows versions up to ${steps.length}`;
    const message = `The data folder was written by a newer Cay (schema version ${version}; ${ours}): update Cay, or use another --data-dir`;
    throw new CayError('newer_schema', message);
  }
  for (let next = version; next < steps.length; next++) {
    database.exec('BEGIN IMMEDIATE');
    try {
      database.exec(steps[next] ?? '');
      database.exec(`DELETE FROM schema; INSERT INTO schema VALUES (${next + 1}); COMMIT`);
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }
}
