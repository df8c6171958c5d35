import { z } from 'zod';
import { CayError } from '../../errors.ts';
import { resolveHeap } from '../../heaps/resolve.ts';
import { findTagged } from '../../heaps/tags.ts';
import { named } from '../named.ts';
import { type CallContext, defineRoute, defineTool, notFound, type Route } from '../tool.ts';
import * as fields from './fields.ts';
import { iso } from './views.ts';

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const taggedHeap = named('TaggedHeap', z.object({ heap: z.string(), tags: fields.tags }));
const queryOutput = z.object({ results: z.array(taggedHeap) });

export const queryHeapsByTags = defineTool({
  name: 'query_heaps_by_tags',
  title: 'Find heaps',
  description: 'Heaps that have all of these tags, newest first; {} finds every tagged heap.',
  annotations: reads,
  input: z.strictObject({ tags: fields.tags }),
  output: queryOutput,
  run: async ({ tags }, context) => query(tags, context),
  routes: [
    defineRoute({
      name: 'query_heaps_by_tags',
      group: 'Heaps',
      method: 'GET',
      path: '/api/heaps',
      summary: 'Find heaps by tags',
      description: 'Heaps that have all of the tags, newest first; without any, every tagged heap.',
      example: { tag: ['stage:parsed'] },
      input: z.strictObject({
        tag: z.array(z.string()).default([]).describe('key:value, any number of them; a key ends at the first colon'),
        limit: z.int().min(1).max(1000).optional().describe('left out: all of them'),
        after: z.string().optional().describe('only those that follow this heap: the last one of the page before'),
      }),
      output: queryOutput,
      run: async ({ tag, ...page }, context) =>
        pageOf(await query(Object.fromEntries(tag.map(keyAndValue)), context), page),
    }),
  ],
});

/** REST only: what is known of a heap. */
export const heapRoute: Route = defineRoute({
  name: 'get_heap',
  group: 'Heaps',
  method: 'GET',
  path: '/api/heaps/{heap}',
  summary: 'Get a heap',
  description: 'Its size, engine, age and tags.',
  refusals: ['not_found'],
  input: z.strictObject(fields.restHeap),
  output: named(
    'Heap',
    z.object({
      heap: z.string().describe('its key'),
      bytes: z.int().describe('when it is restored'),
      stored_bytes: z.int().describe('on disk'),
      v8: z.string().describe('the version of the engine that can restore it'),
      created_at: fields.time,
      tags: fields.tags,
    }),
  ),
  run: async ({ heap }, { services, session }) => {
    const found = await resolveHeap(services.store, heap, session);
    const info = found === null ? null : await services.store.heaps.info(found);
    if (!info) throw notFound(`Heap '${heap}'`);
    const tags = { ...(await services.store.tags.get(info.key)) };
    const { key, bytes, storedBytes, v8, createdAt } = info;
    return { heap: key, bytes, stored_bytes: storedBytes, v8, created_at: iso(createdAt), tags };
  },
});

async function query(tags: Record<string, string>, { services }: CallContext): Promise<z.input<typeof queryOutput>> {
  const found = await findTagged(services.store, tags);
  return { results: found.map(({ heap, tags: its }) => ({ heap, tags: { ...its } })) };
}

function pageOf(
  { results }: z.input<typeof queryOutput>,
  { limit, after }: { limit?: number | undefined; after?: string | undefined },
): z.input<typeof queryOutput> {
  const last = after === undefined ? -1 : results.findIndex(({ heap }) => heap === after);
  if (after !== undefined && last < 0) {
    throw new CayError('invalid_argument', `after: expected a heap that has these tags, got "${after}"`);
  }
  return { results: results.slice(last + 1, limit === undefined ? undefined : last + 1 + limit) };
}

function keyAndValue(text: string): [string, string] {
  const colon = text.indexOf(':');
  if (colon < 0) throw new CayError('invalid_argument', `tag: expected key:value, got "${text}"`);
  return [text.slice(0, colon), text.slice(colon + 1)];
}
