import { z } from 'zod';
import { CayError } from '../../errors.ts';
import { tags } from '../../server/tools/fields.ts';
import { details } from '../details.ts';
import { sizeText } from '../numbers.ts';
import { type ServerFlags, serverOf } from '../remote.ts';
import { expected, remoteCall } from '../remote-call.ts';
import { columnHeads, table } from '../table.ts';
import { onTerminal, print, printError, printJson } from '../terminal.ts';
import { timeText } from '../times.ts';
import { keyAndValue, tagsText } from './tag.ts';

export interface ShowFlags extends ServerFlags {
  readonly json?: boolean;
}

export interface ListFlags extends ShowFlags {
  readonly tag?: readonly string[];
}

const found = z.object({ results: z.array(z.object({ heap: z.string(), tags })) });

export async function listHeaps(flags: ListFlags): Promise<void> {
  const tag = (flags.tag ?? []).map((text) => keyAndValue('--tag', text).join(':'));
  const answer = await remoteCall(serverOf(flags), { method: 'GET', path: '/api/heaps', given: { tag } });
  if (flags.json) return printJson(answer);
  const { results } = expected(found, answer);
  if (results.length === 0) return printError(tag.length === 0 ? noneTagged : 'No heap has these tags.');
  const rows = results.map(({ heap, tags: its }) => [shortHeap(heap), tagsText(its)]);
  print(table(columnHeads('heap', '~tags'), rows));
}

const noneTagged =
  'No heap has tags: cay tags KEY name=value sets them, cay sessions NAME lists the heaps of a session.';

const one = z.looseObject({
  heap: z.string(),
  bytes: z.number(),
  stored_bytes: z.number(),
  v8: z.string(),
  created_at: z.string(),
  tags,
});

export async function showHeap(heap: string, flags: ShowFlags): Promise<void> {
  const answer = await heapOf(heap, flags);
  if (flags.json) return printJson(answer);
  const { heap: key, bytes, stored_bytes, v8, created_at, tags: its } = expected(one, answer);
  print(
    details([
      ['heap', key],
      ['size', sizeText(bytes)],
      ['stored', sizeText(stored_bytes)],
      ['v8', v8],
      ['created', timeText(created_at)],
      ['tags', Object.keys(its).length === 0 ? null : tagsText(its)],
    ]),
  );
}

/** What a server knows of a heap; it takes also the beginning of a key, and an execution's id. */
export async function heapOf(heap: string, flags: ServerFlags): Promise<unknown> {
  if (heap === '') throw new CayError('invalid_argument', 'Expected the key of a heap, got ""');
  return remoteCall(serverOf(flags), { method: 'GET', path: '/api/heaps/{heap}', given: { heap } });
}

/** On a terminal as many digits as a server takes for the whole key, and a few more. */
export function shortHeap(key: string): string {
  return onTerminal() ? key.slice(0, 16) : key;
}
