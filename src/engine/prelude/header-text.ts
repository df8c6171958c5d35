import { charCodeAt, indexOf, sliceText, TypeErrorClass, toLowerCase } from './primordials.ts';

const NAME = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz";

/** In lower case; a TypeError for what is no name of a header. */
export function headerName(given: unknown): string {
  const name = toLowerCase(`${given}`);
  let valid = name !== '';
  for (let i = 0; i < name.length; i++) valid = valid && indexOf(NAME, name[i] ?? ' ') !== -1;
  if (!valid) throw new TypeErrorClass(`${given} is not a name of a header`);
  return name;
}

/** Without spaces around it; a TypeError for what no header can carry. */
export function headerValue(given: unknown): string {
  const text = `${given}`;
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(charCodeAt(text, start))) start++;
  while (end > start && isSpace(charCodeAt(text, end - 1))) end--;
  const value = sliceText(text, start, end);
  for (let i = 0; i < value.length; i++) {
    const code = charCodeAt(value, i);
    if (code === 0 || code === 10 || code === 13 || code > 255) {
      throw new TypeErrorClass('The value of a header has a character that cannot be sent');
    }
  }
  return value;
}

function isSpace(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13;
}
