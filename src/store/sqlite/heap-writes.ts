import type { DatabaseSync } from 'node:sqlite';
import type { PackedHeap } from './heap-packer.ts';
import { isKey, keyBytes, keyText } from './heap-rows.ts';
import { bytes, integer, orNull, text } from './rows.ts';

type StoredHeap =
  | { readonly kind: 'stored'; readonly id: number; readonly isNew: boolean }
  | { readonly kind: 'base_gone' };

export interface RetainStep {
  readonly olderThan: number;
  readonly maxTotalBytes: number;
  readonly inUse: readonly string[];
  /** Where the last step stopped. */
  readonly after: number;
}

export interface Retained {
  readonly heaps: number;
  readonly bytes: number;
  /** Of the heaps that were taken away: to be removed once that is on disk. */
  readonly files: readonly string[];
  /** Null when it went through all of them. */
  readonly after: number | null;
}

const heapsPerStep = 100;

export function heapWrites(database: DatabaseSync) {
  const find = database.prepare('SELECT id FROM heaps WHERE key = ?');
  const exists = database.prepare('SELECT 1 FROM heaps WHERE id = ?');
  const knownEngine = database.prepare('SELECT id FROM engines WHERE fingerprint = ? AND v8 = ?');
  const newEngine = database.prepare('INSERT INTO engines (fingerprint, v8) VALUES (?, ?) RETURNING id');
  const insert = database.prepare(`INSERT INTO heaps
    (key, base, depth, steps, bytes, stored_bytes, engine, created_at, fresh, file, packed)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`);
  const heal = database.prepare(`UPDATE heaps SET base = ?, depth = ?, steps = ?, stored_bytes = ?, created_at = ?,
    fresh = ?, file = ?, packed = ? WHERE id = ?`);
  const touch = database.prepare('UPDATE heaps SET created_at = max(created_at, ?) WHERE id = ?');
  const total = database.prepare('SELECT heap_bytes FROM totals');
  const removable = database.prepare(`SELECT id, key, created_at, stored_bytes, file FROM heaps h WHERE id > ?1
    AND created_at < ?2 AND NOT EXISTS (SELECT 1 FROM tags WHERE heap = h.id) AND NOT EXISTS (SELECT 1 FROM heaps WHERE base = h.id)
    ORDER BY id LIMIT ${heapsPerStep}`);
  const remove = database.prepare('DELETE FROM heaps WHERE id = ?');

  const engineOf = ({ fingerprint, v8 }: PackedHeap): number => {
    const row = knownEngine.get(fingerprint, v8) ?? newEngine.get(fingerprint, v8);
    return row ? integer(row, 'id') : 0;
  };

  const idOf = (key: string): number | null => {
    const row = isKey(key) ? find.get(keyBytes(key)) : undefined;
    return row ? integer(row, 'id') : null;
  };

  return {
    idOf,

    store(heap: PackedHeap, now: number): StoredHeap {
      const known = idOf(heap.key);
      const { form } = heap;
      if (known !== null && !form?.heals) {
        touch.run(now, known); // for retention it is as young as its last use
        return { kind: 'stored', id: known, isNew: false };
      }
      if (!form || (form.base !== null && !exists.get(form.base))) return { kind: 'base_gone' };
      const { base, depth, steps, storedBytes, file, packed } = form;
      if (known !== null) {
        heal.run(base, depth, steps, storedBytes, now, Number(form.fresh), file, packed, known);
        return { kind: 'stored', id: known, isNew: true };
      }
      const fields = [heap.bytes, storedBytes, engineOf(heap), now, Number(form.fresh), file, packed] as const;
      const row = insert.get(keyBytes(heap.key), base, depth, steps, ...fields);
      return { kind: 'stored', id: row ? integer(row, 'id') : 0, isNew: true };
    },

    /** Goes once through the oldest heaps that nothing is stored against; the caller asks until nothing is left to go. */
    retain({ olderThan, maxTotalBytes, inUse, after }: RetainStep): Retained {
      const used = new Set(inUse);
      const row = total.get();
      let left = row ? integer(row, 'heap_bytes') : 0;
      const taken = { heaps: 0, bytes: 0 };
      const files: string[] = [];
      const rows = removable.all(after, left > maxTotalBytes ? Number.MAX_SAFE_INTEGER : olderThan);
      for (const heap of rows) {
        const old = integer(heap, 'created_at') < olderThan;
        if ((!old && left <= maxTotalBytes) || used.has(keyText(bytes(heap, 'key')))) continue;
        remove.run(integer(heap, 'id'));
        const size = integer(heap, 'stored_bytes');
        left -= size;
        taken.heaps++;
        taken.bytes += size;
        const file = orNull(text, heap, 'file');
        if (file !== null) files.push(file);
      }
      const last = rows.at(-1);
      return { ...taken, files, after: last && rows.length === heapsPerStep ? integer(last, 'id') : null };
    },
  };
}
