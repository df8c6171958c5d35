import { createRequire } from 'node:module';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** From native/delta.cc. */
interface Codec {
  delta(parent: Uint8Array, child: Uint8Array): Uint8Array;
  applyDelta(parent: Uint8Array, delta: Uint8Array, length: number): Uint8Array;
}

const sliceBytes = 256 * 1024;
const plain = 0;
const compressed = 1;

/** How heaps look on disk. What reads here throws for anything that was not written here. */
export function heapCodec(addon: string) {
  const codec: Codec = createRequire(import.meta.url)(addon);
  return {
    packDelta: (parent: Uint8Array, child: Uint8Array): Uint8Array => pack(codec.delta(parent, child)),
    unpackDelta: (parent: Uint8Array, packed: Uint8Array, length: number): Uint8Array =>
      codec.applyDelta(parent, unpack(packed, 2 * length + 64), length),
    packWhole,
    unpackWhole,
  };
}

export type HeapCodec = ReturnType<typeof heapCodec>;

/** Slices, each with its length before it: none needs much memory, and damage shows early. */
function packWhole(raw: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < raw.length; at += sliceBytes) {
    const packed = pack(raw.subarray(at, at + sliceBytes));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(packed.length);
    parts.push(length, packed);
  }
  return Buffer.concat(parts);
}

function unpackWhole(packed: Uint8Array, length: number): Uint8Array {
  const view = Buffer.from(packed.buffer, packed.byteOffset, packed.length);
  const raw = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (let from = 0; from < view.length; ) {
    const size = view.readUInt32LE(from);
    if (size > view.length - from - 4) throw new Error('a slice is cut off');
    const slice = unpack(view.subarray(from + 4, from + 4 + size), sliceBytes);
    if (slice.length > length - at) throw new Error('there are more bytes than there were');
    raw.set(slice, at);
    at += slice.length;
    from += 4 + size;
  }
  if (at !== length) throw new Error('there are fewer bytes than there were');
  return raw;
}

/** Level 1 for what is large: level 3 takes three times as long for 5 % (measured on a base heap). */
function pack(bytes: Uint8Array): Uint8Array {
  const level = bytes.length > 64 * 1024 ? 1 : 3;
  const smaller = zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: level } });
  const kind = smaller.length < bytes.length ? compressed : plain;
  return Buffer.concat([Uint8Array.of(kind), kind === compressed ? smaller : bytes]);
}

function unpack(packed: Uint8Array, maxBytes: number): Uint8Array {
  if (packed[0] === plain) return packed.subarray(1);
  if (packed[0] !== compressed) throw new Error('its packing is unknown');
  return zstdDecompressSync(packed.subarray(1), { maxOutputLength: maxBytes });
}
