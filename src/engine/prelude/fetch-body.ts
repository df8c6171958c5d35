import { bytesOf } from './bytes.ts';
import { native } from './native.ts';
import {
  arrayJoin,
  bytesLength,
  charCodeAt,
  getProperty,
  indexOf,
  list,
  sliceText,
  TypeErrorClass,
  toStringTag,
  Uint8,
} from './primordials.ts';

/** The content of a request or a response; null: none. */
export type Content = string | Uint8Array<ArrayBuffer> | null;

/** As it goes to the host and comes from it. */
export type ContentMessage = { readonly text: string } | { readonly base64: string } | null;

const BYTE_ORDER_MARK = 0xfeff;
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** What code gave as a body, and the content type that it has by itself. */
export function contentOf(body: unknown): { readonly content: Content; readonly type: string | null } {
  if (body === undefined || body === null) return { content: null, type: null };
  if (typeof body !== 'object') return { content: `${body}`, type: 'text/plain;charset=UTF-8' };
  if (getProperty(body, toStringTag) === 'URLSearchParams') {
    return { content: `${body}`, type: 'application/x-www-form-urlencoded;charset=UTF-8' };
  }
  try {
    return { content: new Uint8(bytesOf(body)), type: null };
  } catch {
    throw new TypeErrorClass(
      'Expected the body to be a string, bytes or URLSearchParams; for an object use JSON.stringify',
    );
  }
}

export function textOf(content: Content): string {
  const text = typeof content === 'string' ? content : content === null ? '' : native.decodeUtf8(content, false);
  return text !== undefined && charCodeAt(text, 0) === BYTE_ORDER_MARK ? sliceText(text, 1) : (text ?? '');
}

/** A copy. */
export function bytesIn(content: Content): Uint8Array<ArrayBuffer> {
  if (typeof content === 'string') return new Uint8(native.encodeUtf8(content));
  return content === null ? new Uint8(0) : new Uint8(content);
}

export function toMessage(content: Content): ContentMessage {
  if (content === null) return null;
  return typeof content === 'string' ? { text: content } : { base64: toBase64(content) };
}

export function fromMessage(message: ContentMessage): Content {
  if (message === null) return null;
  return 'text' in message ? message.text : fromBase64(message.base64);
}

function toBase64(bytes: Uint8Array): string {
  const size = bytesLength(bytes);
  const parts = list<string>();
  for (let i = 0; i < size; i += 3) {
    const bits = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    parts[parts.length] =
      `${DIGITS[bits >> 18]}${DIGITS[(bits >> 12) & 63]}${i + 1 < size ? DIGITS[(bits >> 6) & 63] : '='}${i + 2 < size ? DIGITS[bits & 63] : '='}`;
  }
  return arrayJoin(parts, '');
}

/** The host's own: padded, and without spaces. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const values = new Uint8(128);
  for (let i = 0; i < 64; i++) values[charCodeAt(DIGITS, i)] = i;
  const padding = indexOf(text, '=');
  const digits = padding === -1 ? text.length : padding;
  const bytes = new Uint8((digits * 3) >> 2);
  let at = 0;
  for (let i = 0; i < digits; i += 4) {
    const bits =
      ((values[charCodeAt(text, i)] ?? 0) << 18) |
      ((values[charCodeAt(text, i + 1)] ?? 0) << 12) |
      ((i + 2 < digits ? (values[charCodeAt(text, i + 2)] ?? 0) : 0) << 6) |
      (i + 3 < digits ? (values[charCodeAt(text, i + 3)] ?? 0) : 0);
    bytes[at++] = bits >> 16;
    bytes[at++] = bits >> 8;
    bytes[at++] = bits;
  }
  return bytes;
}
