import { hash } from 'node:crypto';
import { CayError } from '../../errors.ts';
import type { HeapCodec } from './codec.ts';
import { isDiskFull, systemCode } from './failures.ts';
import type { HeapCache } from './heap-cache.ts';
import type { HeapFiles } from './heap-files.ts';
import type { HeapRow, HeapRows } from './heap-rows.ts';

export interface HeapParts {
  readonly rows: HeapRows;
  readonly files: HeapFiles;
  readonly cache: HeapCache;
  readonly codec: HeapCodec;
  /** The keyframe that nearly every heap of this engine is rebuilt from: it stays in memory. */
  readonly reference: { readonly id: number; readonly raw: Uint8Array } | null;
}

/** Null when there is none yet, or it cannot be read: then those who need it say so. */
export function readReference(parts: HeapParts, fingerprint: string): HeapParts['reference'] {
  const row = parts.rows.fresh(fingerprint);
  try {
    return row && { id: row.id, raw: readKeyframe(parts, row) };
  } catch {
    return null;
  }
}

export const hashOf = (raw: Uint8Array): string => hash('sha256', raw);

/** The raw heap, from at most five pieces; it has its hash, else `heap_damaged`. */
export function rebuild(parts: HeapParts, row: HeapRow): Uint8Array {
  const { key } = row.info;
  const cached = parts.cache.get(key);
  if (cached?.checked) return cached.raw;
  const raw =
    readQuickly(parts, row) ?? (row.base === null ? readKeyframe(parts, row) : readDelta(parts, row, row.base));
  parts.cache.set(key, { raw, checked: true });
  return raw;
}

/** Hashes the end only: of 10 MB a hash takes 5 ms. Null when something is wrong; what, a slower way finds out. */
function readQuickly(parts: HeapParts, row: HeapRow): Uint8Array | null {
  try {
    const raw = readUnchecked(parts, row);
    return hashOf(raw) === row.info.key ? raw : null;
  } catch {
    return null;
  }
}

function readUnchecked(parts: HeapParts, row: HeapRow): Uint8Array {
  const cached = parts.cache.get(row.info.key);
  if (cached) return cached.raw;
  if (row.id === parts.reference?.id) return parts.reference.raw;
  if (row.base === null) return parts.codec.unpackWhole(stored(parts, row), row.info.bytes);
  const base = parts.rows.withId(row.base);
  if (!base || base.depth >= row.depth) throw new Error('what it was stored against is not there');
  const parent = readUnchecked(parts, base);
  if (!parts.cache.get(base.info.key)) parts.cache.set(base.info.key, { raw: parent, checked: false });
  return parts.codec.unpackDelta(parent, stored(parts, row), row.info.bytes);
}

function readDelta(parts: HeapParts, row: HeapRow, base: number): Uint8Array {
  const parent = parts.rows.withId(base);
  if (!parent || parent.depth >= row.depth) throw damaged(row, 'what it was stored against is not there');
  const from = rebuildBase(parts, row, parent);
  return checked(row, () => parts.codec.unpackDelta(from, stored(parts, row), row.info.bytes));
}

function rebuildBase(parts: HeapParts, row: HeapRow, parent: HeapRow): Uint8Array {
  try {
    return rebuild(parts, parent);
  } catch (error) {
    if (!(error instanceof CayError)) throw error;
    throw new CayError(error.code, `Heap '${row.info.key}' needs another: ${error.message}`, { cause: error });
  }
}

function readKeyframe(parts: HeapParts, row: HeapRow): Uint8Array {
  const read = (bytes: () => Uint8Array) => checked(row, () => parts.codec.unpackWhole(bytes(), row.info.bytes));
  try {
    return read(() => stored(parts, row));
  } catch (error) {
    const { file } = row;
    if (!row.fresh || file === null) throw error;
    // Most heaps of this engine need it. There is a copy, and from that the file is made whole again.
    const raw = read(() => parts.files.readCopy(file));
    mend(() => parts.files.replace(file, parts.files.readCopy(file)));
    return raw;
  }
}

function mend(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!isDiskFull(error)) throw error; // the copy still serves
  }
}

function stored(parts: HeapParts, row: HeapRow): Uint8Array {
  const packed = row.file === null ? parts.rows.packed(row.id) : parts.files.read(row.file);
  if (!packed) throw new Error('its bytes are not there');
  return packed;
}

function checked(row: HeapRow, read: () => Uint8Array): Uint8Array {
  let raw: Uint8Array;
  try {
    raw = read();
  } catch (error) {
    // Our own open files or rights are no damage; a file that is not there, or bytes that make no sense, are.
    if (['EMFILE', 'ENFILE', 'EACCES', 'EPERM', 'ENOMEM'].includes(systemCode(error))) throw error;
    throw damaged(row, error instanceof Error ? error.message : String(error), error);
  }
  if (hashOf(raw) !== row.info.key) throw damaged(row, 'its bytes no longer have its hash');
  return raw;
}

function damaged(row: HeapRow, reason: string, cause?: unknown): CayError {
  return new CayError('heap_damaged', `Heap '${row.info.key}' is damaged: ${reason}`, { cause });
}
