import { bytesOf } from './bytes.ts';
import { enumerable, named, tagged } from './expose.ts';
import { native } from './native.ts';
import {
  bytesLength,
  bytesSet,
  charCodeAt,
  fromCharCode,
  indexOf,
  isWellFormed,
  RangeErrorClass,
  sliceText,
  subarray,
  TypeErrorClass,
  toBoolean,
  toLowerCase,
  toWellFormed,
  trim,
  Uint8,
} from './primordials.ts';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

// Labels between spaces.
const UTF_8 = ' utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8 ';
const UTF_16LE = ' utf-16le utf-16 ucs-2 unicode csunicode iso-10646-ucs-2 unicodefeff ';
const UTF_16BE = ' utf-16be unicodefffe ';
const LATIN = ' windows-1252 latin1 iso-8859-1 iso8859-1 iso88591 iso_8859-1 ascii us-ascii l1 cp1252 x-cp1252 ';

// What windows-1252 has at 0x80–0x9f, where latin1 has control characters.
const HIGH =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';

export class TextDecoder {
  readonly #encoding: Encoding;
  readonly #fatal: boolean;
  readonly #ignoreBom: boolean;
  #rest: Uint8Array = new Uint8(0);
  #started = false;

  constructor(label: unknown = 'utf-8', options?: { fatal?: unknown; ignoreBOM?: unknown }) {
    const encoding = encodingOf(toLowerCase(trim(`${label}`)));
    if (encoding === undefined) throw new RangeErrorClass(`The "${label}" encoding is not supported`);
    this.#encoding = encoding;
    this.#fatal = toBoolean(options?.fatal);
    this.#ignoreBom = toBoolean(options?.ignoreBOM);
  }
  get encoding(): string {
    return this.#encoding;
  }
  get fatal(): boolean {
    return this.#fatal;
  }
  get ignoreBOM(): boolean {
    return this.#ignoreBom;
  }
  decode(input?: unknown, options?: { stream?: unknown }): string {
    const stream = toBoolean(options?.stream);
    const bytes = joined(this.#rest, input === undefined ? new Uint8(0) : bytesOf(input));
    const size = bytesLength(bytes);
    const whole = stream ? size - unfinished(bytes, size, this.#encoding) : size;
    const text = decoded(subarray(bytes, 0, whole), this.#encoding, this.#fatal);
    this.#rest = stream ? new Uint8(subarray(bytes, whole)) : new Uint8(0);
    if (text === undefined) {
      this.#started = false;
      throw new TypeErrorClass(`The encoded data was not valid for encoding ${this.#encoding}`);
    }
    const atStart = !this.#started && this.#encoding !== 'windows-1252' && !this.#ignoreBom;
    if (text !== '') this.#started = true;
    if (!stream) this.#started = false;
    return atStart && charCodeAt(text, 0) === 0xfeff ? sliceText(text, 1) : text;
  }
}

function encodingOf(label: string): Encoding | undefined {
  const among = (labels: string) => indexOf(label, ' ') === -1 && indexOf(labels, ` ${label} `) !== -1;
  if (among(UTF_8)) return 'utf-8';
  if (among(UTF_16LE)) return 'utf-16le';
  if (among(UTF_16BE)) return 'utf-16be';
  return among(LATIN) ? 'windows-1252' : undefined;
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array {
  const size = bytesLength(head);
  if (size === 0) return tail;
  const all = new Uint8(size + bytesLength(tail));
  bytesSet(all, head, 0);
  bytesSet(all, tail, size);
  return all;
}

/** How many bytes at the end begin a character that the next piece may finish. */
function unfinished(bytes: Uint8Array, size: number, encoding: Encoding): number {
  if (encoding === 'windows-1252') return 0;
  if (encoding !== 'utf-8') {
    const odd = size % 2;
    const high = bytes[size - odd - (encoding === 'utf-16le' ? 1 : 2)] ?? 0;
    return size - odd >= 2 && high >= 0xd8 && high <= 0xdb ? odd + 2 : odd;
  }
  for (let back = 1; back <= 3 && back <= size; back++) {
    const byte = bytes[size - back] ?? 0;
    if (byte >= 0xc0) return canGoOn(byte, back, bytes[size - back + 1] ?? 0) ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

/** Whether a lead byte wants more than the `have` bytes that are there, of which the second is allowed after it. */
function canGoOn(lead: number, have: number, second: number): boolean {
  if (lead < 0xc2 || lead > 0xf4 || have >= (lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2)) return false;
  if (have === 1) return true;
  const from = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const to = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  return second >= from && second <= to;
}

function decoded(bytes: Uint8Array, encoding: Encoding, fatal: boolean): string | undefined {
  if (encoding === 'utf-8') return native.decodeUtf8(bytes, fatal);
  const size = bytesLength(bytes);
  let text = '';
  if (encoding === 'windows-1252') {
    for (let i = 0; i < size; i++) text += latin(bytes[i] ?? 0);
    return text;
  }
  for (let i = 0; i < size; i += 2) {
    if (i + 1 === size) return fatal ? undefined : `${text}\ufffd`;
    const low = bytes[encoding === 'utf-16le' ? i : i + 1] ?? 0;
    const high = bytes[encoding === 'utf-16le' ? i + 1 : i] ?? 0;
    text += fromCharCode((high << 8) | low);
  }
  if (isWellFormed(text)) return text;
  return fatal ? undefined : toWellFormed(text);
}

function latin(byte: number): string {
  return byte >= 0x80 && byte <= 0x9f ? (HIGH[byte - 0x80] ?? '') : fromCharCode(byte);
}

enumerable(TextDecoder.prototype, ['encoding', 'fatal', 'ignoreBOM', 'decode']);
tagged(TextDecoder.prototype, 'TextDecoder');
named(TextDecoder, 'TextDecoder');
