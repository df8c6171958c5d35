import { CayError } from '../../errors.ts';
import { type HeapParts, hashOf, rebuild } from './heap-reader.ts';
import type { HeapRow } from './heap-rows.ts';

/** A heap that is ready for its row. */
export interface PackedHeap {
  readonly key: string;
  readonly bytes: number;
  readonly fingerprint: string;
  readonly v8: string;
  /** Null: it is there already, nothing is to be written. */
  readonly form: HeapForm | null;
}

interface HeapForm {
  /** The row that it is a delta from; null for a keyframe. */
  readonly base: number | null;
  readonly depth: number;
  readonly steps: number;
  readonly fresh: boolean;
  readonly storedBytes: number;
  readonly file: string | null;
  readonly packed: Uint8Array | null;
  /** Whether a row with that key is to be replaced: its own bytes are damaged. */
  readonly heals: boolean;
}

export interface PackOptions {
  readonly raw: Uint8Array;
  readonly fingerprint: string;
  readonly v8: string;
  /** The key of the heap that it came from. */
  readonly parent: string | null;
  /** Against nothing else. */
  readonly whole: boolean;
}

type Placed = Pick<HeapForm, 'base' | 'depth' | 'steps'> & { readonly packed: Uint8Array };

const leavesPerAnchor = 8;
const largestInDatabase = 64 * 1024;
/** Below this a leaf is never worth the work of a second try. */
const smallLeaf = 4096;

/** Hashes a heap and finds the form in which it costs least: a delta, or whole. Files are on disk when it returns. */
export function packHeap(parts: HeapParts, options: PackOptions): PackedHeap {
  const { raw, fingerprint, v8 } = options;
  const key = hashOf(raw);
  const packed = { key, bytes: raw.length, fingerprint, v8 };
  const existing = parts.rows.find(key);
  if (existing && isReadable(parts, existing) && !options.whole) return { ...packed, form: null };
  const reference = parts.rows.fresh(fingerprint);
  const parent = (options.parent === null ? null : parts.rows.find(options.parent)) ?? reference;
  const placed = options.whole || existing || !parent ? null : asDelta(parts, raw, parent);
  const whole = placed ?? { base: null, depth: 0, steps: 0, packed: parts.codec.packWhole(raw) };
  const fresh = placed === null && options.parent === null && (!reference || raw.length <= 2 * reference.info.bytes);
  const form = { ...store(parts, key, whole, fresh), fresh, heals: existing !== null };
  parts.cache.set(key, { raw, checked: true });
  return { ...packed, form };
}

function isReadable(parts: HeapParts, row: HeapRow): boolean {
  try {
    rebuild(parts, row);
    return true;
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

/** Null when it is no gain: the delta is more than half of the keyframe, or what it would need is damaged. */
function asDelta(parts: HeapParts, raw: Uint8Array, parent: HeapRow): Placed | null {
  try {
    const base = parent.base === null ? null : parts.rows.withId(parent.base);
    const anchor = parent.depth === 1 ? parent : parent.depth === 2 ? base : null;
    const keyframe = parent.depth === 0 ? parent : parent.depth === 1 ? base : anchor && above(parts, anchor);
    if (!keyframe) return null;
    const steps = parent.depth === 2 ? parent.steps + 1 : 1;
    const leaf = anchor && steps <= leavesPerAnchor ? against(parts, raw, anchor, 2, steps) : null;
    // A leaf that is large beside its anchor makes every leaf after it as large: better a new anchor.
    const isGood =
      leaf && (leaf.packed.length <= smallLeaf || 4 * leaf.packed.length <= (anchor?.info.storedBytes ?? 0));
    const placed = isGood ? leaf : against(parts, raw, keyframe, 1, 0);
    return 2 * placed.packed.length <= keyframe.info.storedBytes ? placed : null;
  } catch (error) {
    if (isDamage(error)) return null;
    throw error;
  }
}

const above = (parts: HeapParts, row: HeapRow) => (row.base === null ? null : parts.rows.withId(row.base));

function against(parts: HeapParts, raw: Uint8Array, base: HeapRow, depth: number, steps: number): Placed {
  return { base: base.id, depth, steps, packed: parts.codec.packDelta(rebuild(parts, base), raw) };
}

function store(parts: HeapParts, key: string, { packed, ...place }: Placed, fresh: boolean) {
  const file = packed.length > largestInDatabase || fresh ? parts.files.write(key, packed) : null;
  if (file !== null && fresh) parts.files.writeCopy(file, packed);
  return { ...place, storedBytes: packed.length, file, packed: file === null ? packed : null };
}

const isDamage = (error: unknown) => error instanceof CayError && error.code === 'heap_damaged';
