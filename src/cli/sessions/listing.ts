import { z } from 'zod';
import { CayError } from '../../errors.ts';
import { printable } from '../columns.ts';
import { shortHeap } from '../heaps/listing.ts';
import { type ServerFlags, serverOf } from '../remote.ts';
import { expected, remoteCall } from '../remote-call.ts';
import { columnHeads, table } from '../table.ts';
import { print, printError, printJson } from '../terminal.ts';
import { timeText } from '../times.ts';

export interface SessionsFlags extends ServerFlags {
  readonly limit?: number;
  readonly offset?: number;
  readonly json?: boolean;
}

const names = z.looseObject({ sessions: z.array(z.string()) });

export async function listSessions({ json = false, limit, offset, ...flags }: SessionsFlags): Promise<void> {
  if (limit !== undefined || offset !== undefined) {
    const flag = limit === undefined ? '--offset' : '--limit';
    throw new CayError('invalid_argument', `${flag} is for the history of a session: name one`);
  }
  const answer = await remoteCall(serverOf(flags), { method: 'GET', path: '/api/sessions' });
  if (json) return printJson(answer);
  const { sessions } = expected(names, answer);
  if (sessions.length === 0) printError('No sessions: cay exec --session NAME makes one');
  else print(sessions.map(printable).join('\n'));
}

const entry = z.looseObject({
  index: z.number(),
  input_heap: z.string().nullable(),
  output_heap: z.string().nullable(),
  code: z.string(),
  timestamp: z.string(),
});
const history = z.looseObject({ entries: z.array(entry) });

export async function showSession(
  session: string,
  { json = false, limit = 20, offset, ...flags }: SessionsFlags,
): Promise<void> {
  const given = { session, limit, offset };
  const path = '/api/sessions/{session}/snapshots';
  const answer = await remoteCall(serverOf(flags), { method: 'GET', path, given });
  const { entries } = expected(history, answer);
  if (entries.length === 0 && offset === undefined) throw new CayError('not_found', `Session '${session}' not found`);
  if (json) return printJson(answer);
  if (entries.length === 0) return printError(`Session '${session}' has no entry ${offset}`);
  const head = columnHeads('#', 'time', 'from', 'to', '~code');
  print(table(head, entries.map(rowOf)));
}

const codeShown = 200;

function rowOf({ index, timestamp, input_heap, output_heap, code }: z.output<typeof entry>): string[] {
  const line = code.slice(0, codeShown).trim().replaceAll(/\s+/g, ' ');
  return [`${index}`, timeText(timestamp), shortHeap(input_heap ?? ''), shortHeap(output_heap ?? ''), line];
}
