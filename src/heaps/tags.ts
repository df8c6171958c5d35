import { CayError } from '../errors.ts';
import type { Store, TaggedHeap, Tags } from '../store/types.ts';
import { resolveHeap } from './resolve.ts';

const maxTags = 64;
const maxCharacters = 256;

export type TagAnswer = { readonly ok: true } | { readonly ok: false; readonly error: string };

/** Tags as they may be stored; rejects with `invalid_argument`. */
export function checkTags(tags: Tags): Tags {
  const entries = Object.entries(tags);
  if (entries.length > maxTags) throw invalid(`at most ${maxTags} tags`, `${entries.length}`);
  const longest = entries.flat().reduce((most, text) => Math.max(most, characters(text)), 0);
  if (longest > maxCharacters) throw invalid(`keys and values of at most ${maxCharacters} characters`, `${longest}`);
  return Object.fromEntries(entries.map(([key, value]) => [key.toWellFormed(), value.toWellFormed()]));
}

/** Key names from a comma-separated list, spaces around them ignored. */
export function tagKeys(list: string): string[] {
  const keys = list.split(',').map((key) => key.trim());
  return keys.filter((key) => key !== '');
}

/** The tags of a heap; none when there is no such heap. */
export async function getTags(store: Store, heap: string): Promise<Tags> {
  const key = await resolveHeap(store, heap, null);
  return key === null ? {} : store.tags.get(key);
}

/** Replaces all tags of a heap. */
export async function setTags(store: Store, heap: string, tags: Tags): Promise<TagAnswer> {
  const checked = checkTags(tags);
  const key = await resolveHeap(store, heap, null);
  return answer(heap, key !== null && (await store.tags.set(key, checked)));
}

/** Removes these keys, or all tags. */
export async function deleteTags(store: Store, heap: string, keys: readonly string[] | null): Promise<TagAnswer> {
  const key = await resolveHeap(store, heap, null);
  return answer(heap, key !== null && (await store.tags.remove(key, keys)));
}

/** Tagged heaps that have all of these tags, newest first; without any, every tagged heap. */
export async function findTagged(store: Store, tags: Tags): Promise<TaggedHeap[]> {
  return store.tags.query(checkTags(tags));
}

function answer(heap: string, found: boolean): TagAnswer {
  return found ? { ok: true } : { ok: false, error: `Heap '${heap}' not found` };
}

function invalid(expected: string, got: string): CayError {
  return new CayError('invalid_argument', `tags: expected ${expected}, got ${got}`);
}

/** As people count them: an emoji is one. */
function characters(text: string): number {
  return [...text].length;
}
