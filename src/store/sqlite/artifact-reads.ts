import type { DatabaseSync } from 'node:sqlite';
import type { StoredArtifact, StoredStream } from '../artifacts.ts';
import { integer, type Row, text } from './rows.ts';

export function artifactReads(database: DatabaseSync) {
  const byHandle = database.prepare('SELECT * FROM artifacts WHERE handle = ?');
  const streamOf = database.prepare('SELECT * FROM artifact_streams WHERE artifact = ? AND name = ?');
  const byFile = database.prepare('SELECT 1 FROM artifacts WHERE file = ?');

  const stream = (artifact: Row, name: string): StoredStream => {
    const row = streamOf.get(integer(artifact, 'id'), name) ?? {};
    return {
      bytes: integer(row, 'bytes'),
      lines: integer(row, 'lines'),
      headBytes: integer(row, 'head_bytes'),
      tailBytes: integer(row, 'tail_bytes'),
      tailLine: integer(row, 'tail_line'),
      sha256: text(row, 'sha256'),
    };
  };

  return {
    get(handle: string): StoredArtifact | null {
      const row = byHandle.get(handle);
      if (!row) return null;
      return {
        handle,
        repo: text(row, 'repo'),
        file: text(row, 'file'),
        createdAt: integer(row, 'created_at'),
        expiresAt: integer(row, 'expires_at'),
        storedBytes: integer(row, 'stored_bytes'),
        stdout: stream(row, 'stdout'),
        stderr: stream(row, 'stderr'),
      };
    },
    unknownFiles: (files: readonly string[]): string[] => files.filter((file) => !byFile.get(file)),
  };
}
