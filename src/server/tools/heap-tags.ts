import { z } from 'zod';
import { resolveHeap } from '../../heaps/resolve.ts';
import { deleteTags, getTags, setTags, tagKeys } from '../../heaps/tags.ts';
import { type CallContext, defineRoute, defineTool } from '../tool.ts';
import * as fields from './fields.ts';

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
      name: 'set_heap_tags',
      group: 'Heaps',
      method: 'PUT',
      path: '/api/heaps/{heap}/tags',
      summary: 'Replace all tags of a heap',
      example: { tags: { stage: 'parsed' } },
      ...setOperation,
      input: setOperation.input.extend(fields.restHeap),
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
    defineRoute({
      name: 'get_heap_tags',
      group: 'Heaps',
      method: 'GET',
      path: '/api/heaps/{heap}/tags',
      summary: 'Read the tags of a heap',
      description: 'A heap that is not known has none.',
      ...getOperation,
      input: getOperation.input.extend(fields.restHeap),
    }),
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
      name: 'delete_heap_tags',
      group: 'Heaps',
      method: 'DELETE',
      path: '/api/heaps/{heap}/tags',
      summary: 'Remove tags of a heap',
      description: 'Those that `keys` names, or all. The heap itself stays.',
      example: { keys: 'draft' },
      ...deleteOperation,
      input: deleteOperation.input.extend(fields.restHeap),
      ...doneOr404,
    }),
  ],
});

/** `latest` is the session's; every other name means the same to everyone. */
async function meant(heap: string, { services, session }: CallContext): Promise<string> {
  return heap === 'latest' ? ((await resolveHeap(services.store, heap, session)) ?? heap) : heap;
}
