import type { InspectOptions } from 'node:util';
import { native } from './native.ts';
import { loadPart } from './parts.ts';
import { apply, bytesLength, create, indexOf, is, list, min, sliceText, subarray, toText } from './primordials.ts';

// The output of one run is capped by its owner; these keep one careless call from filling it.
const MAX_INSPECTED = 2 ** 20;
const MAX_REASON = 10_000;
const MAX_TEXT = 2 ** 24;

/** The arguments as Node's console prints them. Never throws, whatever getters, proxies and inspect methods do. */
export function formatArguments(args: readonly unknown[]): string {
  return cut(simpleText(args) ?? formatted(args), MAX_TEXT);
}

/** The same for primitives without a format: most console calls need no more, and so no part. */
function simpleText(args: readonly unknown[]): string | undefined {
  const first = args[0];
  if (typeof first === 'string' && args.length > 1 && indexOf(first, '%') !== -1) return undefined;
  let text = '';
  for (let i = 0; i < args.length; i++) {
    const value = args[i];
    if ((typeof value === 'object' && value !== null) || typeof value === 'function') return undefined;
    text += (i === 0 ? '' : ' ') + (typeof value === 'string' ? value : primitiveText(value));
  }
  return text;
}

function primitiveText(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  return is(value, -0) ? '-0' : toText(value);
}

function formatted(args: readonly unknown[]): string {
  const all = list<unknown>();
  all[0] = create(null);
  for (let i = 0; i < args.length; i++) all[i + 1] = args[i];
  try {
    if (args.length === 1) return formatOne(args[0]);
    return apply(loadPart('inspect').formatWithOptions, undefined, all);
  } catch {
    let text = '';
    for (let i = 0; i < args.length; i++) text += (i === 0 ? '' : ' ') + formatOne(args[i]);
    return text;
  }
}

/** What console.log prints for one value. */
export function formatOne(value: unknown): string {
  return typeof value === 'string' ? value : inspectValue(value);
}

/** The value as util.inspect prints it. Never throws. */
export function inspectValue(value: unknown, options?: InspectOptions): string {
  let inspect: typeof import('node:util').inspect;
  try {
    inspect = loadPart('inspect').inspect;
  } catch {
    return plainText(value);
  }
  try {
    return cut(inspect(value, options ?? create(null)), MAX_INSPECTED);
  } catch (error) {
    return `<Inspection threw${reasonOf(inspect, error)}>`;
  }
}

function reasonOf(inspect: typeof import('node:util').inspect, error: unknown): string {
  try {
    const options: InspectOptions = create(null);
    options.customInspect = false;
    return ` (${cut(inspect(error, options), MAX_REASON)})`;
  } catch {
    return '';
  }
}

/** For when inspect cannot be had: no stack is left, or the build lacks it. */
function plainText(value: unknown): string {
  try {
    return cut(toText(value), MAX_REASON);
  } catch {
    return `<${native.kindOf(value)}>`;
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
