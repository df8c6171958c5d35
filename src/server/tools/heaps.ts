import { z } from 'zod';
import { CayError } from '../../errors.ts';
import { resolveHeap } from '../../heaps/resolve.ts';
import { deleteTags, findTagged, getTags, setTags, tagKeys } from '../../heaps/tags.ts';
import { type CallContext, defineRoute, defineTool, notFound, type Route } from '../tool.ts';
import * as fields from './fields.ts';
import { iso } from './views.ts';

const oneHeap = z.strictObject({ heap: fields.heapKey });
const tagsOutput = z.object({ tags: fields.tags });
const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const writes = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false };

type Done = z.input<typeof fields.done>;
const doneOr404 = { failure: (answer: Done) => (answer.ok ? null : 'not_found'), statuses: [200, 404] };

const setOperation = {
  input: oneHeap.extend({ tags: fields.tags }),
  output: fields.done,
  run: async ({ heap, tags }: { heap: string; tags: Record<string, string> }, context: CallContext): Promise<Done> =>
    setTags(context.services.store, await meant(heap, context), tags),
};

export const setHeapTags = defineTool({
  name: 'set_heap_tags',
  title: 'Tag a heap',
  description: 'Replaces all tags of a heap. Tag the states you want to find again; tagged heaps are never cleaned up.',
  annotations: writes,
  ...setOperation,
  routes: [
    defineRoute({
      method: 'PUT',
      path: '/api/heaps/{heap}/tags',
      summary: 'Replace all tags of a heap',
      ...setOperation,
      ...doneOr404,
    }),
  ],
});

const getOperation = {
  input: oneHeap,
  output: tagsOutput,
  run: async ({ heap }: z.output<typeof oneHeap>, context: CallContext) => ({
    tags: { ...(await getTags(context.services.store, await meant(heap, context))) },
  }),
};

export const getHeapTags = defineTool({
  name: 'get_heap_tags',
  title: "Read a heap's tags",
  description: 'The tags of a heap; none gives {}.',
  annotations: reads,
  ...getOperation,
  routes: [
    defineRoute({ method: 'GET', path: '/api/heaps/{heap}/tags', summary: 'Read the tags of a heap', ...getOperation }),
  ],
});

const deleteOperation = {
  input: oneHeap.extend({
    keys: z.string().optional().describe('comma-separated; left out: all'),
  }),
  output: fields.done,
  run: async ({ heap, keys }: { heap: string; keys?: string | undefined }, context: CallContext): Promise<Done> => {
    const { store } = context.services;
    return deleteTags(store, await meant(heap, context), keys === undefined ? null : tagKeys(keys));
  },
};

export const deleteHeapTags = defineTool({
  name: 'delete_heap_tags',
  title: 'Remove tags',
  description: 'Removes the named tags of a heap, or all of them. The heap itself stays.',
  annotations: writes,
  ...deleteOperation,
  routes: [
    defineRoute({
      method: 'DELETE',
      path: '/api/heaps/{heap}/tags',
      summary: 'Remove tags of a heap',
      ...deleteOperation,
      ...doneOr404,
    }),
  ],
});

const queryOutput = z.object({ results: z.array(z.object({ heap: z.string(), tags: fields.tags })) });

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
      method: 'GET',
      path: '/api/heaps',
      summary: 'Find heaps by tags',
      input: z.strictObject({ tag: z.array(z.string()).default([]).describe('key:value, any number of them') }),
      output: queryOutput,
      run: async ({ tag }, context) => query(Object.fromEntries(tag.map(keyAndValue)), context),
    }),
  ],
});

/** REST only: what is known of a heap. */
export const heapRoute: Route = defineRoute({
  method: 'GET',
  path: '/api/heaps/{heap}',
  summary: 'Get a heap: its size, engine, age and tags',
  input: oneHeap,
  output: z.object({
    heap: z.string(),
    bytes: z.int(),
    stored_bytes: z.int(),
    v8: z.string(),
    created_at: fields.time,
    tags: fields.tags,
  }),
  run: async ({ heap }, { services }) => {
    const found = await resolveHeap(services.store, heap, null);
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

/** `latest` is the session's; every other name means the same to everyone. */
async function meant(heap: string, { services, session }: CallContext): Promise<string> {
  return heap === 'latest' ? ((await resolveHeap(services.store, heap, session)) ?? heap) : heap;
}

function keyAndValue(text: string): [string, string] {
  const colon = text.indexOf(':');
  if (colon < 0) throw new CayError('invalid_argument', `tag: expected key:value, got "${text}"`);
  return [text.slice(0, colon), text.slice(colon + 1)];
}
