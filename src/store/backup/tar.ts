import { CayError } from '../../errors.ts';

/** A file of an archive. Its bytes are read before the next one is asked for. */
export interface TarEntry {
  readonly name: string;
  readonly bytes: number;
  body(): AsyncIterable<Buffer>;
}

const block = 512;
/** Twelve places, the last of them for the end: what is larger is written in binary, as GNU tar does. */
const largestOctal = 8 ** 11 - 1;

/** What stands before a file's bytes: a plain file that is its owner's alone. */
export function tarHeader(name: string, bytes: number, seconds: number): Buffer {
  const header = Buffer.alloc(block);
  if (Buffer.byteLength(name) > 100)
    throw new CayError('invalid_argument', `The name ${name} is too long for a backup`);
  header.write(name, 0);
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  if (bytes <= largestOctal) header.write(`${octal(bytes)}\0`, 124);
  else header.writeBigUInt64BE(BigInt(bytes), 128);
  if (bytes > largestOctal) header[124] = 0x80;
  header.write(`${octal(seconds)}\0`, 136);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  header.write(`${checksum(header).toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** What stands after a file's bytes. */
export function tarPadding(bytes: number): Buffer {
  return Buffer.alloc((block - (bytes % block)) % block);
}

export const tarEnd = Buffer.alloc(2 * block);

/**
 * The files of an archive, in order. Throws `backup_damaged` for anything that `tarHeader` does not write: links,
 * folders, devices, a sum that is wrong, bytes after the end. Names are as they stand there: whoever asks judges them.
 */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const bytes = new ByteReader(source);
  for (;;) {
    const header = await bytes.take(block);
    if (header.every((byte) => byte === 0)) break;
    const { name, size } = parseHeader(header);
    let read = false;
    async function* body() {
      read = true;
      yield* bytes.pieces(size);
    }
    yield { name, bytes: size, body };
    if (!read) for await (const _ of bytes.pieces(size));
    await bytes.take(tarPadding(size).length);
  }
  if (!(await bytes.take(block)).every((byte) => byte === 0)) throw damaged('its end is not where it should be');
  if (!(await bytes.isAtEnd())) throw damaged('there are bytes after its end');
}

export function damaged(why: string, cause?: unknown): CayError {
  return new CayError('backup_damaged', `The backup is damaged: ${why}`, { cause });
}

function parseHeader(header: Buffer): { name: string; size: number } {
  if (Number.parseInt(header.toString('latin1', 148, 154), 8) !== checksum(header)) {
    throw damaged('a header does not have its sum');
  }
  const name = text(header, 0, 100);
  const isPlain = header[156] === 0x30 && text(header, 157, 257) === '' && text(header, 345, 500) === '';
  if (text(header, 257, 263) !== 'ustar' || !isPlain) throw damaged(`'${name}' is not a plain file`);
  const size = header[124] === 0x80 ? Number(header.readBigUInt64BE(128)) : Number.parseInt(text(header, 124, 136), 8);
  if (!Number.isSafeInteger(size) || size < 0) throw damaged(`'${name}' has no size`);
  return { name, size };
}

/** With its own place counted as spaces. */
function checksum(header: Buffer): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);
}

function text(header: Buffer, from: number, to: number): string {
  const field = header.toString('latin1', from, to);
  const end = field.indexOf('\0');
  return end === -1 ? field : field.slice(0, end);
}

function octal(value: number): string {
  return Math.floor(value).toString(8).padStart(11, '0');
}

/** Takes a stream apart into pieces of given lengths. */
class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #left: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async take(length: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.pieces(length)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  async *pieces(length: number): AsyncGenerator<Buffer> {
    for (let missing = length; missing > 0; ) {
      if (await this.isAtEnd()) throw damaged('it is cut off');
      const piece = this.#left.subarray(0, missing);
      this.#left = this.#left.subarray(piece.length);
      missing -= piece.length;
      yield piece;
    }
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#left.length === 0) {
      const next = await this.#source.next();
      if (next.done) return true;
      this.#left = next.value;
    }
    return false;
  }
}
