import type { DatabaseSync } from 'node:sqlite';
import type { HeapInfo } from '../types.ts';
import { bytes, integer, orNull, type Row, text } from './rows.ts';

/** A heap as the database knows it. */
export interface HeapRow {
  readonly id: number;
  readonly base: number | null;
  readonly depth: number;
  readonly steps: number;
  readonly fresh: boolean;
  readonly file: string | null;
  readonly info: HeapInfo;
}

const columns = `h.id, h.key, h.base, h.depth, h.steps, h.bytes, h.stored_bytes, h.created_at, h.fresh, h.file,
  g.fingerprint, g.v8`;
const from = `FROM heaps h JOIN engines g ON g.id = h.engine`;

export const keyBytes = (key: string): Uint8Array => Buffer.from(key, 'hex');
export const keyText = (key: Uint8Array): string => Buffer.from(key).toString('hex');
export const isKey = (key: string): boolean => /^[0-9a-f]{64}$/.test(key);

/** Reads of the heaps' table, for either thread. */
export function heapRows(database: DatabaseSync) {
  const byKey = database.prepare(`SELECT ${columns} ${from} WHERE h.key = ?`);
  const byId = database.prepare(`SELECT ${columns} ${from} WHERE h.id = ?`);
  const freshOne = database.prepare(
    `SELECT ${columns} ${from} WHERE h.fresh = 1 AND g.fingerprint = ? ORDER BY h.id DESC LIMIT 1`,
  );
  const packedOf = database.prepare('SELECT packed FROM heaps WHERE id = ?');
  const ofFile = database.prepare('SELECT 1 FROM heaps WHERE file = ?');
  const range = database.prepare('SELECT key FROM heaps WHERE key BETWEEN ? AND ? ORDER BY key LIMIT ?');
  const read = (row: Row | undefined): HeapRow | null => (row ? heapRow(row) : null);
  return {
    find: (key: string): HeapRow | null => (isKey(key) ? read(byKey.get(keyBytes(key))) : null),
    withId: (id: number): HeapRow | null => read(byId.get(id)),
    /** The keyframe that a heap of that engine without a parent is stored against. */
    fresh: (fingerprint: string): HeapRow | null => read(freshOne.get(fingerprint)),
    packed: (id: number): Uint8Array | null => {
      const row = packedOf.get(id);
      return row ? orNull(bytes, row, 'packed') : null;
    },
    hasFile: (name: string): boolean => ofFile.get(name) !== undefined,
    withPrefix: (prefix: string, limit: number): string[] => {
      if (!/^[0-9a-f]{1,64}$/.test(prefix)) return [];
      const [low, high] = [prefix.padEnd(64, '0'), prefix.padEnd(64, 'f')];
      return range.all(keyBytes(low), keyBytes(high), limit).map((row) => keyText(bytes(row, 'key')));
    },
  };
}

export type HeapRows = ReturnType<typeof heapRows>;

function heapRow(row: Row): HeapRow {
  return {
    id: integer(row, 'id'),
    base: orNull(integer, row, 'base'),
    depth: integer(row, 'depth'),
    steps: integer(row, 'steps'),
    fresh: integer(row, 'fresh') === 1,
    file: orNull(text, row, 'file'),
    info: {
      key: keyText(bytes(row, 'key')),
      bytes: integer(row, 'bytes'),
      storedBytes: integer(row, 'stored_bytes'),
      fingerprint: text(row, 'fingerprint'),
      v8: text(row, 'v8'),
      createdAt: integer(row, 'created_at'),
    },
  };
}
