import type { DatabaseSync } from 'node:sqlite';
import type { StoredArtifact, StoredStream } from '../artifacts.ts';
import { integer, text } from './rows.ts';

export interface AddArtifact {
  readonly artifact: StoredArtifact;
  readonly maxTotalBytes: number;
}

/** In one transaction, so that others get their turn; the caller asks again while it gets so many. */
export const expiredPerStep = 200;

export function artifactWrites(database: DatabaseSync) {
  const insert = database.prepare(`INSERT INTO artifacts
    (handle, repo, file, created_at, expires_at, stored_bytes) VALUES (?, ?, ?, ?, ?, ?) RETURNING id`);
  const insertStream = database.prepare(`INSERT INTO artifact_streams
    (artifact, name, bytes, lines, head_bytes, tail_bytes, tail_line, sha256) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  const total = database.prepare('SELECT bytes FROM artifact_totals');
  const oldest = database.prepare('SELECT id, file, stored_bytes FROM artifacts WHERE id < ? ORDER BY id LIMIT 1');
  const expired = database.prepare(`SELECT id, file FROM artifacts WHERE expires_at <= ? LIMIT ${expiredPerStep}`);
  const removeStreams = database.prepare('DELETE FROM artifact_streams WHERE artifact = ?');
  const remove = database.prepare('DELETE FROM artifacts WHERE id = ?');

  const removeAll = (id: number): void => {
    removeStreams.run(id);
    remove.run(id);
  };

  /** The new one stays whatever it takes. */
  function makeRoom(maxTotalBytes: number, added: number): string[] {
    const files: string[] = [];
    for (let left = integer(total.get() ?? {}, 'bytes'); left > maxTotalBytes; ) {
      const row = oldest.get(added);
      if (!row) break;
      removeAll(integer(row, 'id'));
      files.push(text(row, 'file'));
      left -= integer(row, 'stored_bytes');
    }
    return files;
  }

  return {
    addArtifact({ artifact, maxTotalBytes }: AddArtifact): string[] {
      const { handle, repo, file, createdAt, expiresAt, storedBytes } = artifact;
      const id = integer(insert.get(handle, repo, file, createdAt, expiresAt, storedBytes) ?? {}, 'id');
      const addStream = (name: string, stream: StoredStream) => {
        const { bytes, lines, headBytes, tailBytes, tailLine, sha256 } = stream;
        insertStream.run(id, name, bytes, lines, headBytes, tailBytes, tailLine, sha256);
      };
      addStream('stdout', artifact.stdout);
      addStream('stderr', artifact.stderr);
      return makeRoom(maxTotalBytes, id);
    },

    expireArtifacts(now: number): string[] {
      const rows = expired.all(now);
      for (const row of rows) removeAll(integer(row, 'id'));
      return rows.map((row) => text(row, 'file'));
    },
  };
}
