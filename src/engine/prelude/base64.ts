import { domError } from './dom-error.ts';
import { named } from './expose.ts';
import { arrayJoin, charCodeAt, fromCharCode, indexOf, list } from './primordials.ts';

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = list<number>();
for (let i = 0; i < 128; i++) VALUES[i] = indexOf(DIGITS, fromCharCode(i));

export const btoa = named((data: unknown): string => {
  const text = `${data}`;
  const parts = list<string>();
  for (let i = 0; i < text.length; i += 3) {
    const left = text.length - i;
    const a = latin1(text, i);
    const b = left > 1 ? latin1(text, i + 1) : 0;
    const c = left > 2 ? latin1(text, i + 2) : 0;
    const bits = (a << 16) | (b << 8) | c;
    parts[parts.length] =
      `${DIGITS[bits >> 18]}${DIGITS[(bits >> 12) & 63]}${left > 1 ? DIGITS[(bits >> 6) & 63] : '='}${left > 2 ? DIGITS[bits & 63] : '='}`;
  }
  return arrayJoin(parts, '');
}, 'btoa');

export const atob = named((data: unknown): string => {
  const text = `${data}`;
  const parts = list<string>();
  let bits = 0;
  let digits = 0;
  let padding = 0;
  for (let i = 0; i < text.length; i++) {
    const code = charCodeAt(text, i);
    if (code === 32 || (code >= 9 && code <= 13 && code !== 11)) continue;
    if (code === 61) {
      padding++;
      continue;
    }
    const value = VALUES[code] ?? -1;
    if (value < 0 || padding > 0) throw invalid('The string to be decoded is not correctly encoded.');
    bits = ((bits << 6) | value) & 0xffffff;
    digits++;
    if (digits % 4 === 0) parts[parts.length] = fromCharCode(bits >> 16, (bits >> 8) & 255, bits & 255);
  }
  const rest = digits % 4;
  if (rest === 1 || (padding > 0 && (padding > 2 || (rest + padding) % 4 !== 0))) {
    throw invalid('The string to be decoded is not correctly encoded.');
  }
  if (rest === 2) parts[parts.length] = fromCharCode((bits >> 4) & 255);
  if (rest === 3) parts[parts.length] = fromCharCode((bits >> 10) & 255, (bits >> 2) & 255);
  return arrayJoin(parts, '');
}, 'atob');

function latin1(text: string, index: number): number {
  const code = charCodeAt(text, index);
  if (code > 255) throw invalid('Invalid character');
  return code;
}

function invalid(message: string): Error {
  return domError(message, 'InvalidCharacterError');
}
