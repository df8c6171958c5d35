import { CayError } from '../../errors.ts';

/** `key=value`; the value may have more of them. */
export function keyAndValue(where: string, text: string): [key: string, value: string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new CayError('invalid_argument', `${where}: expected key=value, got "${text}"`);
}

export function tagsText(tags: Readonly<Record<string, string>>): string {
  return Object.entries(tags)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ');
}
