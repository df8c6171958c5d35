import type { DatabaseSync } from 'node:sqlite';
import type { Tags } from '../types.ts';

export function tagWrites(database: DatabaseSync) {
  const clear = database.prepare('DELETE FROM tags WHERE heap = ?');
  const drop = database.prepare('DELETE FROM tags WHERE heap = ? AND key = ?');
  const insert = database.prepare('INSERT INTO tags (heap, key, value) VALUES (?, ?, ?)');
  return {
    replace(heap: number, tags: Tags): void {
      clear.run(heap);
      for (const [key, value] of Object.entries(tags)) insert.run(heap, key, value);
    },
    remove(heap: number, keys: readonly string[] | null): void {
      if (keys === null) clear.run(heap);
      else for (const key of keys) drop.run(heap, key);
    },
  };
}
