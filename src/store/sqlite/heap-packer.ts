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
const largeHeap = 2 * 1024 * 1024;
/** Below this a leaf is never too large. */
const smallLeaf = 4096;

/** Hashes a heap and finds the form in which it costs least: a delta, or whole. Files are on disk when it returns. */
export function packHeap(parts: HeapParts, options: PackOptions): PackedHeap {
  const { raw, fingerprint, v8 } = options;
  const key = hashOf(raw);
  const packed = { key, bytes: raw.length, fingerprint, v8 };
  const existing = parts.rows.find(key);
  if (existing && isReadable(parts, existing) && !options.whole) return { ...packed, form: null };
  const own = options.parent === null ? null : parts.rows.find(options.parent);
  const reference = own ? null : parts.rows.fresh(fingerprint);
  const parent = own ?? reference;
  const placed = options.whole || existing || !parent ? null : asDelta(parts, raw, parent);
  const fresh = placed === null && options.parent === null && (!reference || raw.length <= 2 * reference.info.bytes);
  const form = {
    ...store(parts, key, placed ?? asKeyframe(parts, raw, fresh), fresh),
    fresh,
    heals: existing !== null,
  };
  parts.cache.set(key, { raw, checked: true, shared: true });
  return { ...packed, form };
}

function asKeyframe({ codec }: HeapParts, raw: Uint8Array, fresh: boolean): Placed {
  // Most restores begin with a fresh one, and there are few of those.
  const packed = fresh && raw.length <= largeHeap ? codec.packForSpeed(raw) : codec.packWhole(raw);
  return { base: null, depth: 0, steps: 0, packed };
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
    const line = lineTo(parts, parent);
    const [keyframe] = line;
    if (!keyframe) return null;
    const placed = asCheapAnchor(parts, raw, line) ?? asLeaf(parts, raw, line) ?? against(parts, raw, keyframe, 0);
    return 2 * placed.packed.length <= packedBytes(keyframe) ? placed : null;
  } catch (error) {
    if (isDamage(error)) return null;
    throw error;
  }
}

/** About: heaps shrink to a fifth. */
const packedBytes = ({ info }: HeapRow) => Math.min(info.storedBytes, info.bytes / 4);

/** What a heap is rebuilt from, itself last; empty when something is missing. */
function lineTo(parts: HeapParts, row: HeapRow): HeapRow[] {
  const line = [row];
  for (let first = row; first.base !== null; ) {
    const base = parts.rows.withId(first.base);
    if (!base || base.depth >= first.depth) return [];
    line.unshift(base);
    first = base;
  }
  return line;
}

/** As long as anchors are cheap a large heap has no leaves: each piece takes milliseconds when it is rebuilt. */
function asCheapAnchor(parts: HeapParts, raw: Uint8Array, [keyframe, anchor, leaf]: readonly HeapRow[]): Placed | null {
  const cheap = raw.length > largeHeap ? raw.length / 4096 : 0;
  if (!keyframe || !anchor || leaf || anchor.info.storedBytes > cheap) return null;
  const placed = against(parts, raw, keyframe, 0);
  return placed.packed.length <= cheap ? placed : null;
}

/** Null when an anchor is due. */
function asLeaf(parts: HeapParts, raw: Uint8Array, line: readonly HeapRow[]): Placed | null {
  const [anchor, parent] = [line[1], line.at(-1)];
  if (!anchor || !parent) return null;
  const steps = parent.depth > anchor.depth ? parent.steps + 1 : 1;
  if (steps > leavesPerAnchor) return null;
  let leaf = against(parts, raw, anchor, steps);
  if (leaf.packed.length > cheapLeaf(raw)) {
    // Every second leaf may hang on the one before it, every fourth on the one two before, and so on: most differ by one
    // step from what they hang on, and none is rebuilt from more than five pieces.
    const nearest = ((steps + 1) & steps) - 1;
    const base = line.findLast((row) => row.depth > anchor.depth && row.steps <= nearest);
    const nearer = base && against(parts, raw, base, steps);
    if (nearer && 4 * nearer.packed.length <= 3 * leaf.packed.length) leaf = nearer;
  }
  // A leaf that is large beside its anchor makes every leaf after it as large: better a new anchor.
  const { length } = leaf.packed;
  return length <= smallLeaf || 4 * length <= anchor.info.storedBytes ? leaf : null;
}

/** Worth no second try, and no longer way back. */
const cheapLeaf = (raw: Uint8Array) => Math.max(512, raw.length / 4096);

function against(parts: HeapParts, raw: Uint8Array, base: HeapRow, steps: number): Placed {
  return { base: base.id, depth: base.depth + 1, steps, packed: parts.codec.packDelta(rebuild(parts, base), raw) };
}

function store(parts: HeapParts, key: string, { packed, ...place }: Placed, fresh: boolean) {
  const file = packed.length > largestInDatabase || fresh ? parts.files.write(key, packed) : null;
  if (file !== null && fresh) parts.files.writeCopy(file, packed);
  return { ...place, storedBytes: packed.length, file, packed: file === null ? packed : null };
}

const isDamage = (error: unknown) => error instanceof CayError && error.code === 'heap_damaged';
