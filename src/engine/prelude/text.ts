import { formatWithOptions, inspect } from 'cay:inspect';
import type { InspectOptions } from 'node:util';
import { native } from './native.ts';
import { apply, bytesLength, create, list, min, sliceText, subarray } from './primordials.ts';

// The output of one run is capped by its owner; these keep one careless call from filling it.
const MAX_INSPECTED = 2 ** 20;
const MAX_REASON = 10_000;
const MAX_TEXT = 2 ** 24;

/** The arguments as Node's console prints them. Never throws, whatever getters, proxies and inspect methods do. */
export function formatArguments(args: readonly unknown[]): string {
  const all = list<unknown>();
  all[0] = create(null);
  for (let i = 0; i < args.length; i++) all[i + 1] = args[i];
  try {
    if (args.length === 1 && typeof args[0] !== 'string') return formatOne(args[0]);
    return cut(apply(formatWithOptions, undefined, all), MAX_TEXT);
  } catch {
    let text = '';
    for (let i = 0; i < args.length; i++) text += (i === 0 ? '' : ' ') + formatOne(args[i]);
    return cut(text, MAX_TEXT);
  }
}

/** What console.log prints for one value. */
export function formatOne(value: unknown): string {
  return typeof value === 'string' ? value : inspectValue(value);
}

/** The value as util.inspect prints it. Never throws. */
export function inspectValue(value: unknown, options?: InspectOptions): string {
  try {
    return cut(inspect(value, options ?? create(null)), MAX_INSPECTED);
  } catch (error) {
    return `<Inspection threw${reasonOf(error)}>`;
  }
}

/** At most `limit` UTF-16 units of a text, and a notice of what is missing. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const missing = text.length - limit;
  return `${sliceText(text, 0, limit)}... ${missing} more character${missing > 1 ? 's' : ''}`;
}

/** At most `limit` bytes of a text in UTF-8, a notice included where it fits. */
export function cutBytes(text: string, limit: number): string {
  const head = sliceText(text, 0, limit);
  const bytes = native.encodeUtf8(head);
  const size = bytesLength(bytes);
  if (head.length === text.length && size <= limit) return text;
  const notice = '... (cut)';
  let end = min(limit > notice.length ? limit - notice.length : limit, size);
  // Back to the start of a character: bytes 10xxxxxx continue one.
  while (end > 0 && end < size && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return (native.decodeUtf8(subarray(bytes, 0, end), false) ?? '') + (limit > notice.length ? notice : '');
}

function reasonOf(error: unknown): string {
  try {
    const options: InspectOptions = create(null);
    options.customInspect = false;
    return ` (${cut(inspect(error, options), MAX_REASON)})`;
  } catch {
    return '';
  }
}
