import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';

/** Text as a page shows it: `…` stands for anything within a line, a line that is `…` alone for any lines. */
export function assertShownText(real: string, shown: string, at: string): void {
  const pattern = shown
    .trimEnd()
    .split('\n')
    .map((line) => (line.trim() === '…' ? '[^]*?' : `${line.split('…').map(RegExp.escape).join('[^\\n]*')}[ \\t]*\\n`))
    .join('');
  if (new RegExp(`^${pattern}\\s*$`).test(`${real.trimEnd()}\n`)) return;
  assert.equal(real.trimEnd(), shown.trimEnd(), `${at}: the page shows something else`);
}

/** JSON as a page shows it: `"…"` stands for anything, `"ab…"` for text, the key `"…"` for more keys. */
export function assertShownJson(real: unknown, shown: unknown, at: string): void {
  const shaped = shapedLike(real, shown);
  if (!isDeepStrictEqual(shaped, shown)) assert.deepEqual(shaped, shown, `${at}: the page shows something else`);
}

/** The real value with what the page leaves open put as the page puts it. */
function shapedLike(real: unknown, shown: unknown): unknown {
  if (shown === '…' && real !== undefined) return shown;
  if (typeof shown === 'string' && typeof real === 'string') return fits(real, shown) ? shown : real;
  if (Array.isArray(shown) && Array.isArray(real)) return real.map((item, index) => shapedLike(item, shown[index]));
  if (!isObject(shown) || !isObject(real)) return real;
  const entries = Object.entries(real).flatMap(([key, value]) =>
    key in shown ? [[key, shapedLike(value, shown[key])] as const] : '…' in shown ? [] : [[key, value] as const],
  );
  return Object.fromEntries('…' in shown ? [...entries, ['…', shown['…']]] : entries);
}

function fits(real: string, shown: string): boolean {
  return new RegExp(`^${shown.split('…').map(RegExp.escape).join('[^]*')}$`).test(real);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
