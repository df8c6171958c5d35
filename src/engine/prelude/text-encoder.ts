import { bytesOf } from './bytes.ts';
import { enumerable, named, tagged } from './expose.ts';
import { native } from './native.ts';
import {
  bytesLength,
  bytesSet,
  charCodeAt,
  sliceText,
  subarray,
  TypeErrorClass,
  typedArrayTag,
} from './primordials.ts';

export class TextEncoder {
  get encoding(): string {
    return 'utf-8';
  }
  encode(text: unknown = ''): Uint8Array {
    return native.encodeUtf8(`${text}`);
  }
  encodeInto(source: unknown, target: Uint8Array): { read: number; written: number } {
    const text = `${source}`;
    if (typedArrayTag(target) !== 'Uint8Array')
      throw new TypeErrorClass('Expected the second argument to be a Uint8Array');
    const view = bytesOf(target);
    const room = bytesLength(view);
    let read = 0;
    let written = 0;
    while (read < text.length) {
      const code = charCodeAt(text, read);
      const pair = code >= 0xd800 && code <= 0xdbff && isLow(charCodeAt(text, read + 1));
      const size = code < 0x80 ? 1 : code < 0x800 ? 2 : pair ? 4 : 3;
      if (written + size > room) break;
      read += pair ? 2 : 1;
      written += size;
    }
    bytesSet(view, subarray(native.encodeUtf8(sliceText(text, 0, read)), 0, written), 0);
    return { read, written };
  }
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

enumerable(TextEncoder.prototype, ['encoding', 'encode', 'encodeInto']);
tagged(TextEncoder.prototype, 'TextEncoder');
named(TextEncoder, 'TextEncoder');
