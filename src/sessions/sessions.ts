import { CayError } from '../errors.ts';
import type { SessionEntry, SessionStore } from '../store/types.ts';

const fieldNames = {
  index: 'index',
  input_heap: 'inputHeap',
  output_heap: 'outputHeap',
  code: 'code',
  timestamp: 'timestamp',
} as const satisfies Record<string, keyof SessionEntry>;

const usualLimit = 1000;
const largestLimit = 10_000;

export interface SnapshotQuery {
  /** Names of fields, comma-separated; all without any. */
  readonly fields?: string;
  readonly offset?: number;
  readonly limit?: number;
}

/** The names of all sessions that have an entry. */
export function listSessions(sessions: SessionStore): Promise<string[]> {
  return sessions.names();
}

/** A session's entries in order: the newest 1,000, or what `offset` and `limit` ask for; with the wanted fields. */
export async function listSnapshots(
  sessions: SessionStore,
  session: string,
  query: SnapshotQuery = {},
): Promise<Partial<SessionEntry>[]> {
  const fields = sessionFields(query.fields ?? '');
  const limit = Math.min(atLeast(1, 'limit', query.limit ?? usualLimit), largestLimit);
  const offset = query.offset === undefined ? {} : { offset: atLeast(0, 'offset', query.offset) };
  const entries = await sessions.entries(session, { ...offset, limit, code: fields.includes('code') });
  return entries.map((entry) => Object.fromEntries(fields.map((field) => [field, entry[field]])));
}

/** The fields that a comma-separated list names, spaces around them ignored; all when it names none. */
function sessionFields(list: string): (keyof SessionEntry)[] {
  const names = list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0) return Object.values(fieldNames);
  return names.map((name) => {
    if (isField(name)) return fieldNames[name];
    const known = Object.keys(fieldNames).join(', ');
    throw new CayError('invalid_argument', `fields: expected names among ${known}, got "${name}"`);
  });
}

function isField(name: string): name is keyof typeof fieldNames {
  return Object.hasOwn(fieldNames, name);
}

function atLeast(least: number, name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new CayError('invalid_argument', `Expected ${name} to be an integer of at least ${least}, got ${value}`);
}
