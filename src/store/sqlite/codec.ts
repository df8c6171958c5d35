import { createRequire } from 'node:module';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** From native/delta.cc. */
interface Codec {
  delta(parent: Uint8Array, child: Uint8Array): Uint8Array;
  applyDelta(parent: Uint8Array, delta: Uint8Array, length: number): Uint8Array;
}

/** They were 256 kB once. Nearly every heap is one slice now, and comes out of zlib as it is. */
const sliceBytes = 64 * 1024 * 1024;
/** Of this few bytes nothing can be saved; but zstd takes 64 kB of memory to try. */
const tooSmall = 128;
const plain = 0;
const compressed = 1;

/** How heaps look on disk. What reads here throws for anything that was not written here. */
export function heapCodec(addon: string) {
  const codec: Codec = createRequire(import.meta.url)(addon);
  return {
    packDelta: (parent: Uint8Array, child: Uint8Array): Uint8Array => pack(codec.delta(parent, child)),
    unpackDelta: (parent: Uint8Array, packed: Uint8Array, length: number): Uint8Array =>
      codec.applyDelta(parent, unpack(packed, 2 * length + 64), length),
    packWhole: (raw: Uint8Array): Uint8Array => inSlices(raw, (slice) => pack(slice)),
    /** For what is read often: it takes four times the room, and is back in a third of the time. */
    packForSpeed: (raw: Uint8Array): Uint8Array => inSlices(raw, (slice) => pack(slice, -50)),
    unpackWhole,
  };
}

export type HeapCodec = ReturnType<typeof heapCodec>;

/** Slices, each with its length before it: none needs much more memory than the heap. */
function inSlices(raw: Uint8Array, form: (slice: Uint8Array) => Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < raw.length; at += sliceBytes) {
    const slice = form(raw.subarray(at, at + sliceBytes));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(slice.length);
    parts.push(length, slice);
  }
  return Buffer.concat(parts);
}

function unpackWhole(packed: Uint8Array, length: number): Uint8Array {
  const view = Buffer.from(packed.buffer, packed.byteOffset, packed.length);
  let raw: Uint8Array | null = null;
  let at = 0;
  for (let from = 0; from < view.length; ) {
    const size = view.readUInt32LE(from);
    if (size > view.length - from - 4) throw new Error('a slice is cut off');
    const left = Math.min(sliceBytes, length - at);
    const slice = unpack(view.subarray(from + 4, from + 4 + size), left + 1, left);
    if (slice.length > left) throw new Error('there are more bytes than there were');
    from += 4 + size;
    if (slice.length === length && from === view.length) return slice;
    raw ??= Buffer.allocUnsafeSlow(length);
    raw.set(slice, at);
    at += slice.length;
  }
  if (at !== length) throw new Error('there are fewer bytes than there were');
  return raw ?? new Uint8Array();
}

/** Level 1 for what is large: level 3 takes three times as long for 5 % (measured on a base heap). */
function pack(bytes: Uint8Array, level = bytes.length > 64 * 1024 ? 1 : 3): Uint8Array {
  if (bytes.length < tooSmall) return Buffer.concat([Uint8Array.of(plain), bytes]);
  const smaller = zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: level } });
  const kind = smaller.length < bytes.length ? compressed : plain;
  return Buffer.concat([Uint8Array.of(kind), kind === compressed ? smaller : bytes]);
}

/** With the bytes that are to come out zlib takes one buffer for them: with room to see the end, and not for a bomb. */
function unpack(packed: Uint8Array, maxBytes: number, bytes?: number): Uint8Array {
  if (packed[0] === plain) return packed.subarray(1);
  if (packed[0] !== compressed) throw new Error('its packing is unknown');
  const room = bytes === undefined ? {} : { chunkSize: Math.min(bytes + 64, Math.max(8 * packed.length, 256 * 1024)) };
  return zstdDecompressSync(packed.subarray(1), { maxOutputLength: maxBytes, ...room });
}
