/** Text out of bytes that come in pieces, the same as if they had come in one. What is no UTF-8 becomes U+FFFD. */
export class Utf8Pieces {
  #held: Uint8Array = new Uint8Array(0);

  write(bytes: Uint8Array): string {
    const all = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    const end = all.length - unfinished(all);
    this.#held = Uint8Array.from(all.subarray(end));
    return decode(all.subarray(0, end));
  }

  /** What is left: a character that was cut off. */
  end(): string {
    const rest = decode(this.#held);
    this.#held = new Uint8Array(0);
    return rest;
  }
}

function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

/** How many bytes at the end belong to a character that may go on. A lead byte always begins a new one. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}
