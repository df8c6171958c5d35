const newline = 10;
const newlines = 0x0a0a0a0a;

/** Four bytes at a time: most have no newline in them, and all output of all jobs goes through here. */
export function countNewlines(bytes: Uint8Array): number {
  if (bytes.length < 8) return countOneByOne(bytes, 0, bytes.length);
  const before = (4 - (bytes.byteOffset % 4)) % 4;
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + before, (bytes.length - before) >>> 2);
  let count = countOneByOne(bytes, 0, before) + countOneByOne(bytes, before + 4 * words.length, bytes.length);
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? 0;
    const zeroWhereNewline = word ^ newlines;
    // A byte that is zero borrows from its uppermost bit: the usual test for a zero byte.
    if (((zeroWhereNewline - 0x01010101) & ~zeroWhereNewline & 0x80808080) === 0) continue;
    if ((word & 0xff) === newline) count++;
    if (((word >>> 8) & 0xff) === newline) count++;
    if (((word >>> 16) & 0xff) === newline) count++;
    if (word >>> 24 === newline) count++;
  }
  return count;
}

export function endsWithNewline(bytes: Uint8Array): boolean {
  return bytes[bytes.length - 1] === newline;
}

function countOneByOne(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) if (bytes[i] === newline) count++;
  return count;
}
