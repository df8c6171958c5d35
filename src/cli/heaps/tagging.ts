import { z } from 'zod';
import { CayError } from '../../errors.ts';
import { tagKeys } from '../../heaps/tags.ts';
import * as fields from '../../server/tools/fields.ts';
import { type ServerFlags, serverOf } from '../remote.ts';
import { expected, remoteCall } from '../remote-call.ts';
import { print, printError, printJson } from '../terminal.ts';
import { heapOf } from './listing.ts';
import { keyAndValue, tagsText } from './tag.ts';

export interface TagsFlags extends ServerFlags {
  readonly delete?: string;
  readonly clear?: boolean;
  readonly json?: boolean;
}

const tagged = z.looseObject({ heap: z.string(), tags: fields.tags });
const done = z.object({ ok: z.boolean(), error: z.string().optional() });

/** Changes the tags of a heap as asked, and prints those that it has then. */
export async function tags(reference: string, pairs: readonly string[], flags: TagsFlags): Promise<void> {
  const set = pairs.map((text) => keyAndValue('tags', text));
  const found = expected(tagged, await heapOf(reference, flags));
  const { heap } = found;
  const deleted = new Set(tagKeys(flags.delete ?? ''));
  const kept = Object.entries(found.tags).filter(([key]) => !flags.clear && !deleted.has(key));
  const wanted = Object.fromEntries([...kept, ...set]);
  if (set.length > 0 || flags.clear || flags.delete !== undefined) await replace(heap, wanted, flags);
  if (flags.json) printJson({ heap, tags: wanted });
  else if (Object.keys(wanted).length === 0) printError('No tags');
  else
    print(
      Object.entries(wanted)
        .map(([key, value]) => tagsText({ [key]: value }))
        .join('\n'),
    );
}

async function replace(heap: string, wanted: Readonly<Record<string, string>>, flags: TagsFlags): Promise<void> {
  const call = { method: 'PUT', path: '/api/heaps/{heap}/tags', given: { heap, tags: wanted } } as const;
  const { ok, error } = expected(done, await remoteCall(serverOf(flags), call));
  if (!ok) throw new CayError('not_found', error ?? `Heap '${heap}' not found`);
}
