import type { Description } from './native.ts';
import { native } from './native.ts';
import { loadPart } from './parts.ts';
import {
  apply,
  bytesLength,
  getProperty,
  isArray,
  isFiniteNumber,
  objectKeys,
  SetClass,
  setAdd,
  setDelete,
  setHas,
  stringifyJson,
} from './primordials.ts';
import { cutBytes, formatOne } from './text.ts';
import { describeError } from './uncaught.ts';

const MAX_DEPTH = 2000;
const TOO_DEEP = `is nested more than ${MAX_DEPTH} levels deep`;

interface Walk {
  readonly limit: number;
  readonly ancestors: Set<object>;
  length: number;
  depth: number;
  /** The first thing that JSON cannot hold, in words, and the path to it, which grows on the way back. */
  culprit: string;
  path: string;
  /** Whether it is the value as a whole. */
  whole: boolean;
}

/** The value as JSON if it survives that, else as console.log prints it. Never throws. */
export function describe(value: unknown, maxBytes: number): Description {
  if (value === undefined) return ['undefined', '', ''];
  const walk: Walk = {
    limit: maxBytes,
    ancestors: new SetClass(),
    length: 0,
    depth: 0,
    culprit: '',
    path: '',
    whole: false,
  };
  let json: string | undefined;
  try {
    json = jsonOf(walk, value, '');
  } catch (error) {
    const thrown = describeError(error);
    walk.culprit = `could not be read: ${thrown[0]}: ${thrown[1]}`;
    walk.path = '';
  }
  if (walk.culprit === '' && json === undefined) return ['undefined', '', ''];
  if (walk.culprit === '' && json !== undefined) {
    if (json.length <= maxBytes && bytesLength(native.encodeUtf8(json)) <= maxBytes) return ['json', json, ''];
    tooLong(walk);
  }
  return ['text', cutBytes(formatOne(value), maxBytes), `value${walk.path} ${walk.culprit}`];
}

/** Undefined for what JSON leaves out, and when there is a culprit. */
function jsonOf(walk: Walk, given: unknown, key: string): string | undefined {
  let value = given;
  if (typeof value === 'object' && value !== null && !isSpecial(value)) {
    const toJson: unknown = getProperty(value, 'toJSON');
    if (typeof toJson === 'function') value = apply(toJson, value, [key]);
  }
  if (value === undefined) return undefined;
  if (value === null || typeof value === 'boolean') return emit(walk, `${value}`);
  if (typeof value === 'string') return emit(walk, value.length > walk.limit ? value : stringifyJson(value));
  if (typeof value === 'number' && isFiniteNumber(value)) return emit(walk, value === 0 ? '0' : `${value}`);
  if (typeof value !== 'object' || isSpecial(value)) return blame(walk, hintFor(value));
  if (setHas(walk.ancestors, value)) return blame(walk, 'refers back to an object that contains it (a cycle)');
  if (walk.depth >= MAX_DEPTH) {
    walk.whole = true;
    return blame(walk, TOO_DEEP);
  }
  setAdd(walk.ancestors, value);
  walk.depth++;
  const json = isArray(value) ? arrayJson(walk, value) : objectJson(walk, value);
  walk.depth--;
  setDelete(walk.ancestors, value);
  return json;
}

function arrayJson(walk: Walk, items: readonly unknown[]): string | undefined {
  let json = '[';
  emit(walk, '[]');
  for (let i = 0; i < items.length; i++) {
    const item = jsonOf(walk, items[i], `${i}`);
    if (walk.culprit !== '') return blameInside(walk, `${i}`, true);
    json += `${i === 0 ? '' : ','}${item ?? 'null'}`;
    emit(walk, item === undefined ? ',null' : ',');
  }
  return `${json}]`;
}

function objectJson(walk: Walk, object: object): string | undefined {
  const keys = objectKeys(object);
  let json = '{';
  emit(walk, '{}');
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? '';
    const item = jsonOf(walk, getProperty(object, key), key);
    if (walk.culprit !== '') return blameInside(walk, key, false);
    if (item === undefined) continue;
    json += `${json === '{' ? '' : ','}${emit(walk, stringifyJson(key))}:${item}`;
    emit(walk, ':,');
  }
  return `${json}}`;
}

function emit(walk: Walk, text: string): string {
  walk.length += text.length;
  // Each container counts one comma too many.
  if (walk.length > walk.limit * 2 + 2 && walk.culprit === '') tooLong(walk);
  return text;
}

function tooLong(walk: Walk): void {
  walk.culprit = `is longer than ${walk.limit} bytes as JSON`;
  walk.path = '';
  walk.whole = true;
}

function blame(walk: Walk, what: string): undefined {
  if (walk.culprit === '') walk.culprit = what;
  return undefined;
}

/** Names the way to the culprit, unless it is the value as a whole. */
function blameInside(walk: Walk, key: string, isIndex: boolean): undefined {
  if (walk.whole) return undefined;
  try {
    walk.path = (isIndex ? `[${key}]` : loadPart('inspect').member(key)) + walk.path;
  } catch {
    walk.path = `[${key}]${walk.path}`;
  }
  return undefined;
}

function hintFor(value: unknown): string {
  try {
    return loadPart('inspect').hintFor(value);
  } catch {
    return `is not plain data (${native.kindOf(value)})`;
  }
}

/** Objects whose content is not in their properties. A proxy is read like what it stands for. */
function isSpecial(value: object): boolean {
  const kind = native.kindOf(value);
  return kind !== 'Object' && kind !== 'Array' && kind !== 'Proxy' && kind !== 'Arguments';
}
