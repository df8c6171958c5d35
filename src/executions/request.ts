import { randomFillSync } from 'node:crypto';
import type { Engine } from '../engine/engine.ts';
import { CayError } from '../errors.ts';
import { checkTags } from '../heaps/tags.ts';
import type { Submission } from '../store/types.ts';
import type { SubmitRequest } from './types.ts';

export interface ExecutionLimits {
  /** How many run at once; as many as the engine was made for. */
  readonly maxConcurrent: number;
  /** How many may wait; 10,000. */
  readonly maxQueued?: number;
  /** What a run gets that asks for nothing. */
  readonly heapMb: number;
  readonly timeoutMs: number;
  /** What a run may ask for. */
  readonly heapMbLimit: number;
  /** The setting that `heapMbLimit` comes from; --heap-memory-limit. */
  readonly heapMbSetting?: string;
  readonly timeoutMsLimit: number;
  readonly maxOutputBytes: number;
}

const maxCodeBytes = 16 * 2 ** 20;
const maxSessionCharacters = 256;
/** No key and no id is so long: what is cut off was not going to be found. */
const maxReferenceCharacters = 256;

/** What is stored of a request that may be taken. Text that is no Unicode becomes U+FFFD here, once. */
export function submissionOf(request: SubmitRequest, limits: ExecutionLimits): Submission {
  return {
    id: newId(),
    kind: request.kind ?? 'run_js',
    code: sized('code', request.code),
    input: inputText(request.input),
    heap: request.heap?.slice(0, maxReferenceCharacters).toWellFormed() ?? null,
    session: sessionName(request.session ?? null),
    tags: request.tags === undefined ? null : checkTags(request.tags),
    heapMb: heapMb(request.heapMb, limits),
    timeoutMs: timeoutMs(request.timeoutMs, limits),
    submittedAt: Date.now(),
  };
}

const letters = '0123456789abcdefghjkmnpqrstvwxyz';
const idLength = 12;
/** Taken in advance: to ask for a few bytes takes as long as to ask for thousands (2 % of the thread, in stateless runs). */
const random = Buffer.alloc(idLength * 256);
let used = random.length;

/** Twelve letters and digits, 60 random bits. Models read and write ids: a UUID costs them 23 tokens, this one 8. */
function newId(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  let id = '';
  for (const end = used + idLength; used < end; used++) id += letters[(random[used] ?? 0) & 31];
  return id;
}

function sized(name: string, text: string): string {
  const bytes = Buffer.byteLength(text);
  if (bytes > maxCodeBytes) throw new CayError('too_large', `${name}: expected at most 16 MiB, got ${bytes} bytes`);
  return text.toWellFormed();
}

function inputText(input: unknown): string | null {
  const text = input === undefined ? undefined : JSON.stringify(input);
  return text === undefined ? null : sized('input', wholeCharacters(text));
}

/** JSON.stringify writes half a character, and no whole one, as an escape: in a key or in a text, it becomes U+FFFD. */
function wholeCharacters(json: string): string {
  if (!json.includes('\\ud')) return json;
  return json.replace(/\\(?:ud[89a-f]..|.)/g, (found) => (found.startsWith('\\ud') ? '\ufffd' : found));
}

function sessionName(session: string | null): string | null {
  if (session === null) return null;
  if (session.length > 0 && session.length <= maxSessionCharacters) return session.toWellFormed();
  throw invalid('session', `a name of 1 to ${maxSessionCharacters} characters`, `${session.length} characters`);
}

function heapMb(asked: number | undefined, limits: ExecutionLimits): number {
  if (asked === undefined) return Math.min(limits.heapMb, limits.heapMbLimit);
  if (!Number.isInteger(asked) || asked < 8 || asked > 4096) {
    throw invalid('heap_memory_max_mb', 'an integer from 8 to 4096', `${asked}`);
  }
  if (asked <= limits.heapMbLimit) return asked;
  const setting = limits.heapMbSetting ?? '--heap-memory-limit';
  throw overLimit('heap_memory_max_mb', `${asked} MB`, `${limits.heapMbLimit} MB`, setting);
}

function timeoutMs(asked: number | undefined, limits: ExecutionLimits): number {
  if (asked === undefined) return Math.min(limits.timeoutMs, limits.timeoutMsLimit);
  if (!Number.isInteger(asked) || asked < 1) throw invalid('execution_timeout_secs', 'above 0', `${asked / 1000}`);
  if (asked <= limits.timeoutMsLimit) return asked;
  throw overLimit(
    'execution_timeout_secs',
    `${asked / 1000} s`,
    `${limits.timeoutMsLimit / 1000} s`,
    '--execution-timeout-limit',
  );
}

function invalid(name: string, expected: string, got: string): CayError {
  return new CayError('invalid_argument', `Expected ${name} to be ${expected}, got ${got}`);
}

function overLimit(name: string, asked: string, limit: string, flag: string): CayError {
  return new CayError('over_limit', `${name}: ${asked} is above the limit of ${limit} (${flag})`);
}

/** A heap that the engine cannot give is nothing to ask for. */
export function withinBudget(limits: ExecutionLimits, { maxHeapMb }: Engine): ExecutionLimits {
  const fits = limits.heapMbLimit <= maxHeapMb;
  return fits ? limits : { ...limits, heapMbLimit: maxHeapMb, heapMbSetting: '--memory-budget' };
}
