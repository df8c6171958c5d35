import { bytesOf } from './bytes.ts';
import { domError } from './dom-error.ts';
import { tagged } from './expose.ts';
import { native } from './native.ts';
import { bytesLength, numberToText, padStart, typedArrayTag, Uint8 } from './primordials.ts';

const QUOTA = 65536;

// Nothing is kept between calls: branches of one heap would draw the same numbers from it.
export const crypto = {
  getRandomValues<T extends object>(view: T): T {
    const tag = typeof view === 'object' && view !== null ? typedArrayTag(view) : undefined;
    if (tag === undefined || tag === 'Float16Array' || tag === 'Float32Array' || tag === 'Float64Array') {
      throw domError('The data argument must be an integer-type TypedArray', 'TypeMismatchError');
    }
    const bytes = bytesOf(view);
    const size = bytesLength(bytes);
    if (size > QUOTA) {
      throw domError('The requested length exceeds 65,536 bytes', 'QuotaExceededError');
    }
    native.random(bytes);
    return view;
  },
  randomUUID(): string {
    const bytes = new Uint8(16);
    native.random(bytes);
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    let text = '';
    for (let i = 0; i < 16; i++) {
      if (i === 4 || i === 6 || i === 8 || i === 10) text += '-';
      text += padStart(numberToText(bytes[i] ?? 0, 16), 2, '0');
    }
    return text;
  },
};

tagged(crypto, 'Crypto');
