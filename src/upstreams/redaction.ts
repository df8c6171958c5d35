import type { Secret } from './secrets.ts';

const placeholder = '[redacted]';

/** Takes the secrets of one upstream out of what leaves. */
export interface Redaction {
  /** For people: logs, errors, status. */
  text(text: string): string;
  /** For code: an answer or a schema. The same object where there was nothing to take out. */
  value(value: unknown): unknown;
  /** The longest thing that is looked for. */
  readonly longest: number;
}

export function redactionOf(secrets: readonly Secret[]): Redaction {
  const all = spellings(secrets);
  const certain = spellings(secrets.filter((secret) => secret.certain));
  return {
    text: (text) => replaced(text, all),
    value: (value) => (certain.length === 0 ? value : inside(value, certain)),
    longest: all[0]?.length ?? 0,
  };
}

/** As it is, line by line, and as URLs and JSON write it; the longest first, so that no end of one is left. */
function spellings(secrets: readonly Secret[]): string[] {
  const found = new Set<string>();
  for (const { text } of secrets) {
    for (const part of [text, ...text.split(/\r?\n/)]) {
      if (part.length < 6) continue;
      for (const spelling of [part, encodeURIComponent(part.toWellFormed()), JSON.stringify(part).slice(1, -1)]) {
        found.add(spelling);
      }
    }
  }
  return [...found].sort((a, b) => b.length - a.length);
}

function replaced(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => (left.includes(secret) ? left.replaceAll(secret, placeholder) : left), text);
}

function inside(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return replaced(value, secrets);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => inside(item, secrets));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const entries = Object.entries(value);
  const clean = entries.map(([key, item]) => [replaced(key, secrets), inside(item, secrets)] as const);
  const changed = clean.some(([key, item], index) => key !== entries[index]?.[0] || item !== entries[index]?.[1]);
  return changed ? Object.fromEntries(clean) : value;
}
